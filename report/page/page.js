// ---- The page, from top to bottom.
useUnits();
head();
for (const part of [scores, whatMatters, levels, weights, stability, alongDirections, maps,
    whatIf, predictions, confusion, classByClass, particles, fitStory, made]) part();
document.querySelector("nav").append(...sections.map(({id, title}) => el("a", {href: "#" + id},
    title)));
page.append(el("footer", {}, "Made by bkernn. This file is complete in itself: it loads nothing " +
    "and sends nothing."));

// On paper everything is open.
addEventListener("beforeprint", () => { for (const redraw of drawings) redraw(); });
for (const redraw of drawings) redraw();
document.documentElement.dataset.ready = "yes";
