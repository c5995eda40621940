/// What a report does in the browser: sliders, search, selection, totals.
enum ReportScript {
  /// The SHA-256 of the script for the page's security policy. When the script changes, a test prints
  /// the new value.
  static let hash = "sha256-+0KOuN81g32vz0cR99HDUP/B+wajmRZmdT9OCHN2jJM="

  /// The script. It only reads what stands in the page, and writes nothing but text into it.
  static let text = """

    "use strict";
    document.addEventListener("input", event => {
      const slider = event.target;
      if (slider.type === "range") {
        slider.parentElement.style.setProperty("--at", slider.value + "%");
      }
    });
    document.addEventListener("DOMContentLoaded", () => {
      const find = id => document.getElementById(id);
      const grid = find("entries");
      // Read in the order in which they are seen.
      const failed = [...grid.querySelectorAll("article.failed")];
      grid.prepend(...failed);
      const entries = [...grid.querySelectorAll("article")].map(card => ({
        card, status: card.dataset.status, filter: card.dataset.filter,
        // The last card of a report that was cut off may have no name.
        name: (card.querySelector("h2")?.textContent ?? "").toLowerCase()
      }));
      const count = key => {
        const counts = new Map();
        for (const entry of entries) {
          counts.set(entry[key], (counts.get(entry[key]) || 0) + 1);
        }
        return counts;
      };
      const offer = (key, none) => {
        const counts = [...count(key)].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
        for (const [value, number] of counts) {
          const option = document.createElement("option");
          // Told apart from “all”, which has no value.
          option.value = "=" + value;
          option.textContent = (value || none) + " (" + number + ")";
          find(key).append(option);
        }
      };
      offer("status", "none");
      offer("filter", "none");
      const isWhole = find("end") !== null;
      const number = value => value.toLocaleString("en");
      const totals = [...count("status")].map(([status, n]) => number(n) + " " + status);
      const photos = entries.length === 1 ? "1 photo" : number(entries.length) + " photos";
      const summary = [photos, ...totals].join(" · ")
        + (isWhole ? "" : " · The report is not complete: the work still runs or was cut off.");
      const choose = () => {
        const name = find("name").value.trim().toLowerCase();
        const [status, filter] = [find("status").value, find("filter").value];
        let shown = 0;
        for (const entry of entries) {
          const isShown = entry.name.includes(name)
            && (!status || status === "=" + entry.status)
            && (!filter || filter === "=" + entry.filter);
          if (entry.card.hidden === isShown) entry.card.hidden = !isShown;
          if (isShown) shown += 1;
        }
        find("totals").textContent =
          (shown < entries.length ? number(shown) + " of " : "") + summary;
      };
      const form = find("choice");
      form.hidden = entries.length < 2;
      form.addEventListener("input", choose);
      form.addEventListener("submit", event => event.preventDefault());
      choose();
    });

    """
}
