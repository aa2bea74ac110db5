"use strict";
// Draws the plots of the page, one after the other, and lets its documents be saved.
(() => {
  const documentIn = (id) => document.getElementById(id).textContent;

  const isNarrow = window.innerWidth < 600;

  // Labels beside the vertical axis take a third of a narrow plot at most.
  const limitLabels = (part, most) => {
    if (part === null || typeof part !== "object") return;
    for (const [key, value] of Object.entries(part)) {
      if (key === "values") continue;
      const isAxis = key === "y" && value !== null && typeof value === "object" && value.axis !== null;
      if (isAxis) value.axis = { ...value.axis, labelLimit: Math.min(value.axis?.labelLimit ?? 180, most) };
      limitLabels(value, most);
    }
  };

  // A legend below does not take its height from the plot.
  const fitted = (spec, width) => {
    if (!isNarrow) return spec;
    limitLabels(spec, width / 3);
    return { ...spec, autosize: { type: "fit-x", contains: "padding" } };
  };

  const draw = async (plot, theme) => {
    try {
      await vegaEmbed(plot, fitted(JSON.parse(documentIn(plot.dataset.plot)), plot.clientWidth), {
        mode: "vega-lite",
        ast: true, // expressions are interpreted: the policy of the page has no eval
        renderer: "svg",
        actions: false,
        defaultStyle: false,
        tooltip: { disableDefaultStyle: true },
        config: theme,
      });
    } catch (problem) {
      console.error(problem);
      plot.textContent = "This plot could not be drawn: " + problem;
    }
  };

  const drawAll = async () => {
    const plots = document.querySelectorAll(".plot");
    if (plots.length > 0) {
      const theme = JSON.parse(documentIn("theme"));
      if (isNarrow) Object.assign(theme.legend, { columns: 1, labelLimit: 200 });
      for (const plot of plots) await draw(plot, theme);
    }
    performance.mark("interactive");
    document.documentElement.dataset.state = "drawn";
  };

  const save = (button) => {
    const file = new Blob([documentIn(button.dataset.document)], { type: "application/json" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = button.textContent;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };

  for (const button of document.querySelectorAll(".save")) {
    button.hidden = false;
    button.addEventListener("click", () => save(button));
  }
  drawAll();
})();
