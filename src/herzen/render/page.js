"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const SUITS = "♣♦♥♠", SUIT_NAMES = ["clubs", "diamonds", "hearts", "spades"];
  const last = data.steps;
  const at = (id) => document.getElementById(id);
  let step = last, viewer = data.viewers[0][0], timer = 0;
  const films = new Map(), narrow = matchMedia("(max-width: 48rem)");

  // ---- the frames: each is the one before it and an RFC 7386 merge patch ----
  function patched(old, patch) {
    if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
    const next = old && typeof old === "object" && !Array.isArray(old) ? {...old} : {};
    for (const [key, value] of Object.entries(patch)) {
      if (value === null) delete next[key];
      else next[key] = patched(next[key], value);
    }
    return next;
  }
  function film() {
    if (!films.has(viewer)) {
      const frames = [];
      let scene = {};
      for (const patch of data.frames[viewer]) frames.push(scene = patched(scene, patch));
      films.set(viewer, frames);
    }
    return films.get(viewer);
  }
  function told(number) {
    const own = data.told[viewer];
    return own && Object.hasOwn(own, number) ? own[number] : data.events[number][1];
  }

  // ---- making elements; everything from the record goes in as text ----
  function make(tag, name, ...inside) {
    const element = document.createElement(tag);
    if (name) element.className = name;
    element.append(...inside);
    return element;
  }
  function draw(tag, attributes, ...inside) {
    const element = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...inside);
    return element;
  }
  function rich(text) {
    const parts = document.createDocumentFragment();
    for (const piece of text.split(/([♣♦♥♠])/)) {
      const suit = piece ? SUITS.indexOf(piece) : -1;
      if (suit < 0) { parts.append(piece); continue; }
      const mark = draw("svg", {viewBox: "0 0 100 100", "aria-hidden": "true"},
        draw("use", {href: "#suit-" + suit}));
      parts.append(make("span", "suit", mark), make("span", "hidden", " " + SUIT_NAMES[suit] + " "));
    }
    return parts;
  }
  const plain = (token) => token.replace(/\*$/, "");
  const spelled = (token) => data.cards[plain(token)] + (token.endsWith("*") ? " (marked)" : "");
  const words = (text) => text ? text.split(" ") : [];
  const cardsOf = (count) => count === 1 ? "1 card" : count + " cards";
  function card(token) {
    return draw("svg", {viewBox: "0 0 100 140", class: "card", "aria-hidden": "true"},
      draw("use", {href: "#card-" + plain(token)}));
  }
  function fan(tokens, backs, label, can) {
    const row = make("div", "fan");
    row.setAttribute("role", "img");
    const said = tokens.map(spelled);
    if (backs) said.push(cardsOf(backs) + " face down");
    row.setAttribute("aria-label", label + ": " + (said.join(", ") || "no cards"));
    for (const token of [...tokens, ...Array(backs).fill("back")]) {
      const place = make("span", "", card(token));
      if (token.endsWith("*")) place.classList.add("marked");
      if (can && can.has(token)) place.classList.add("can");
      row.append(place);
    }
    return row;
  }

  // ---- the places on the table ----
  function zoneOf(zone, scene) {
    const kind = zone.kind;
    const box = make("div", "zone" + (zone.small ? " small" : ""), make("h2", "", zone.label));
    if (kind === "ring") {
      box.classList.add("around");
      box.append(ringOf(zone, scene));
    } else if (kind === "rows") {
      box.classList.add("wide");
      for (const [name, shown, note] of Object.values(zone.rows))
        box.append(make("div", "run", make("span", "", name), fan(words(shown), 0, name), make("b", "", note)));
    } else if (kind === "grid") {
      box.classList.add("wide", "count");
      box.append(gridOf(zone));
    } else {
      const row = make("div", "cards");
      if (zone.backs) {
        const pile = fan([], Math.min(3, zone.backs), zone.label);
        pile.setAttribute("aria-label", zone.label + ": " + cardsOf(zone.backs) + " face down");
        row.append(make("div", "stack", pile), make("span", "", cardsOf(zone.backs)));
      }
      if (zone.cards) row.append(fan(words(zone.cards), 0, zone.label));
      if (row.childElementCount) box.append(row);
    }
    return box;
  }
  function ringOf(zone, scene) {
    const count = data.names.length;
    const ring = make("div", "ring" + (count > 5 ? " crowd" : "") + (count > 7 ? " throng" : ""));
    const first = Number(viewer) || 0;
    for (let k = 0; k < count; k++) {
      const seat = (first + k) % count, angle = 2 * Math.PI * k / count;
      const token = zone.slots[seat], moves = scene.seats[seat].turn;
      const slot = make("div", "slot" + (moves ? " turn" : ""));
      slot.style.left = 50 - 37 * Math.sin(angle) + "%";
      slot.style.top = (count > 5 ? 37 : 30) * (1 + Math.cos(angle)) + "%";
      const place = make("span", "place" + (token ? "" : " empty"));
      let label = data.names[seat];
      if (token) {
        place.append(card(token));
        place.setAttribute("role", "img");
        place.setAttribute("aria-label", data.cards[plain(token)]);
        if (token.endsWith("*")) label += " led";
      } else if (moves && count <= 5) label += " to play";
      const under = make("b", "", label);
      under.title = label;
      slot.append(place, under);
      ring.append(slot);
    }
    return ring;
  }
  function gridOf(zone) {
    const table = make("table"), head = make("tr");
    for (const cell of zone.head) {
      const th = make("th", "", cell);
      th.scope = "col";
      head.append(th);
    }
    table.append(make("thead", "", head));
    const body = make("tbody");
    for (const cells of Object.values(zone.rows)) {
      const row = make("tr");
      cells.forEach((cell, place) => {
        const lead = place > 0 && cell.endsWith("*");
        const td = make(place ? "td" : "th", lead ? "lead" : "", place ? plain(cell) : cell);
        if (!place) td.scope = "row";
        if (lead) td.append(make("span", "hidden", " (marked)"));
        row.append(td);
      });
      body.append(row);
    }
    table.append(body);
    const scroll = make("div", "scroll", table);
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "group");
    scroll.setAttribute("aria-label", zone.label);
    return make("div", "", scroll, make("p", "", zone.note || ""));
  }

  // ---- the seats ----
  function seatOf(number, row, scene, can) {
    const name = data.names[number], item = make("li", row.turn ? "turn" : "");
    const who = make("div", "who", make("strong", "", name));
    if (row.turn) who.append(" ", make("span", "turn-mark", "to move"));
    const notes = [];
    if ((scene.winners || []).includes(number)) notes.push("wins");
    if (scene.dealer === number) notes.push("dealer");
    if (row.note) notes.push(row.note);
    if (notes.length) who.append(make("div", "muted", notes.join(", ")));
    const numbers = make("dl", "numbers");
    row.values.forEach((value, place) =>
      numbers.append(make("div", "", make("dt", "", data.headings[place]), make("dd", "", String(value)))));
    const hand = make("div", "hand");
    if (row.hand || row.backs) hand.append(fan(words(row.hand), row.backs || 0, "Hand of " + name, can));
    else hand.append(make("span", "muted", "no cards"));
    item.append(who, numbers, hand);
    if (row.pile) {
      const took = fan(words(row.pile), 0, name + " took");
      item.append(make("div", "took cards", make("span", "muted", "took"), took));
    }
    return item;
  }

  // ---- showing a step ----
  function sentences(number) {
    return data.events.map((event, index) => event[0] === number ? told(index) : "").filter(Boolean);
  }
  function show(next, quiet) {
    step = Math.max(0, Math.min(last, next));
    const scene = film()[step];
    at("deal").textContent = scene.title;
    at("status").textContent = scene.status;
    const legal = scene.legal || {};
    const felt = at("felt"), open = at("legal").open;
    const zones = data.zones.filter((key) => scene.zones[key]).map((key) => zoneOf(scene.zones[key], scene));
    // What is not in play now stands beside the ring if there is one, else (and on a phone) below the hands.
    const later = (zone) => zone.matches(narrow.matches ? ".small, .count" : ".small");
    const [now, rest] = [zones.filter((zone) => !later(zone)), zones.filter(later)];
    const beside = !narrow.matches && now.some((zone) => zone.classList.contains("around"));
    felt.replaceChildren(...now, ...(beside ? [make("div", "rest", ...rest)] : []));
    at("more").replaceChildren(...(beside ? [] : rest));
    at("more").hidden = beside || !rest.length;
    at("seats").replaceChildren(...data.names.map((_, seat) =>
      seatOf(seat, scene.seats[seat], scene, open && legal[seat] ? new Set(words(legal[seat].cards)) : null)));
    at("step").value = step;
    const said = sentences(step).map((text) => /[.!?]$/.test(text) ? text : text + ".").join(" ") || (step ? "" : "The match begins.");
    at("step").setAttribute("aria-valuetext", "move " + step + " of " + last);
    at("where").textContent = "move " + step + " of " + last;
    at("told").replaceChildren(rich(said || scene.status));
    for (const [id, off] of [["first", step === 0], ["back", step === 0], ["next", step === last], ["end", step === last]])
      at(id).setAttribute("aria-disabled", String(off));
    listEvents(scene.deal);
    listLegal(legal);
    mark();
    if (!quiet) address();
  }
  function address() {
    const hash = "#" + step + (viewer === data.viewers[0][0] ? "" : "/" + viewer);
    try { history.replaceState(null, "", hash); } catch { /* a browser may limit how often */ }
  }
  function listLegal(legal) {
    const seats = Object.keys(legal), box = at("moves");
    let count = 0;
    box.replaceChildren();
    for (const seat of seats) {
      const {count: all, moves} = legal[seat];
      count += all;
      const list = make("ul");
      for (const move of moves) list.append(make("li", "", rich(move)));
      const left = all - moves.length;
      if (left > 0 && moves.length > 1) list.append(make("li", "", "and " + left + " more"));
      box.append(make("p", "", data.names[seat] + ":"), list);
    }
    if (!seats.length) box.append(make("p", "muted", "None that this viewer may know."));
    at("count").textContent = "(" + count + ")";
  }

  // ---- the list of events: those of the deal on show ----
  let listed = "";
  function listEvents(deal) {
    const list = at("events"), key = viewer + " " + deal;
    if (listed !== key) {
      listed = key;
      const items = [];
      data.events.forEach((event, index) => {
        const text = told(index);
        if (event[2] !== deal || !text) return;
        const button = make("button", "", rich(text));
        button.type = "button";
        button.dataset.step = event[0];
        button.tabIndex = -1;
        items.push(make("li", "", button));
      });
      list.replaceChildren(...items);
    }
    let current = null;
    for (const button of list.querySelectorAll("button")) {
      const here = Number(button.dataset.step);
      button.removeAttribute("aria-current");
      button.tabIndex = -1;
      if (here <= step) current = button;
      if (here === step) button.setAttribute("aria-current", "step");
    }
    current = current || list.querySelector("button");
    if (current) {
      current.tabIndex = 0;
      const top = current.parentElement.offsetTop;
      if (top < list.scrollTop || top + 40 > list.scrollTop + list.clientHeight)
        list.scrollTop = top - list.clientHeight / 2;
    }
  }

  // ---- the graph ----
  const WIDE = 340, TALL = 190, LEFT = 30, RIGHT = 8, TOP = 8, BOTTOM = 18;
  const DASHES = ["", "8 4", "2 3", "12 3 2 3", "6 2", "1 5"];
  const xOf = (number) => LEFT + (WIDE - LEFT - RIGHT) * (last ? number / last : 0);
  function line(seat) {
    return {fill: "none", stroke: `var(--series-${seat % 6})`, "stroke-width": seat < 6 ? 2 : 1.2,
      "stroke-dasharray": DASHES[seat % 6] || "none"};
  }
  function graph() {
    const frames = film();
    const totals = frames.map((scene) => data.names.map((_, seat) => {
      const [total, now] = scene.seats[seat].values;
      return total + (scene.over ? 0 : now);
    }));
    const low = Math.min(0, ...totals.flat()), high = Math.max(1, ...totals.flat());
    const yOf = (value) => TOP + (TALL - TOP - BOTTOM) * (high - value) / (high - low);
    const picture = at("graph");
    picture.replaceChildren();
    const unit = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].find((size) => (high - low) / size <= 6) || high - low;
    for (let value = Math.ceil(low / unit) * unit; value <= high; value += unit)
      picture.append(draw("path", {d: `M${LEFT} ${yOf(value)}H${WIDE - RIGHT}`, stroke: "var(--line)", "stroke-width": .6}),
        draw("text", {x: LEFT - 6, y: yOf(value) + 4, "text-anchor": "end"}, String(value)));
    let deal = -1;
    frames.forEach((scene, number) => {
      if (scene.deal === deal) return;
      deal = scene.deal;
      picture.append(draw("path", {d: `M${xOf(number)} ${TOP}V${TALL - BOTTOM}`, stroke: "var(--line)", "stroke-width": .6, "stroke-dasharray": "2 4"}));
      if (deal % Math.ceil((frames[last].deal + 1) / 12) === 0)
        picture.append(draw("text", {x: xOf(number) + 3, y: TALL - 5}, String(deal + 1)));
    });
    data.names.forEach((_, seat) => {
      let path = "", old = null;
      totals.forEach((row, number) => {
        if (row[seat] !== old || number === last)
          path += (path ? `H${xOf(number).toFixed(1)}V` : `M${xOf(number).toFixed(1)} `) + yOf(row[seat]).toFixed(1);
        old = row[seat];
      });
      picture.append(draw("path", {d: path, ...line(seat)}));
    });
    picture.append(draw("path", {id: "now", stroke: "var(--ink)", "stroke-width": 2}));
    at("key").replaceChildren(...data.names.map((name, seat) => make("li", "",
      draw("svg", {viewBox: "0 0 40 10", "aria-hidden": "true"}, draw("path", {d: "M0 5H40", ...line(seat)})), " " + name)));
    scoreTable(frames);
  }
  function mark() {
    at("now").setAttribute("d", `M${xOf(step)} ${TOP}V${TALL - BOTTOM}`);
  }
  function scoreTable(frames) {
    const head = make("tr");
    for (const name of ["deal", ...data.names]) {
      const th = make("th", "num", name);
      th.scope = "col";
      head.append(th);
    }
    const body = make("tbody");
    frames.forEach((scene, number) => {
      const next = frames[number + 1];
      if (next ? next.deal === scene.deal : !scene.over) return;
      const after = next || scene, row = make("tr"), th = make("th", "num", String(scene.deal + 1));
      th.scope = "row";
      row.append(th, ...data.names.map((_, seat) => make("td", "num", String(after.seats[seat].values[0]))));
      body.append(row);
    });
    at("totals").replaceChildren(make("thead", "", head), body);
  }

  // ---- controls ----
  function stop() {
    clearInterval(timer);
    timer = 0;
    at("play").textContent = "Play";
  }
  function play() {
    if (timer) { stop(); return; }
    if (step === last) show(0);
    at("play").textContent = "Pause";
    timer = setInterval(() => { show(step + 1); if (step === last) stop(); }, Number(at("speed").value));
  }
  function go(next) { stop(); show(next); }
  function otherDeal(way) {
    const frames = film();
    let next = step;
    if (way < 0 && next > 0) {
      next -= 1;
      while (next > 0 && frames[next - 1].deal === frames[next].deal) next -= 1;
    } else if (way > 0) {
      while (next < last && frames[next].deal === frames[step].deal) next += 1;
    }
    go(next);
  }
  function watch(who) {
    viewer = who;
    at("viewer").value = who;
    graph();
  }
  function follow() {
    const found = /^#(\d{1,9})(?:\/(\w{1,9}))?$/.exec(location.hash);
    const who = found && found[2] && Object.hasOwn(data.frames, found[2]) ? found[2] : data.viewers[0][0];
    watch(who);
    go(found ? Number(found[1]) : 0);
  }
  const actions = {first: () => go(0), back: () => go(step - 1), next: () => go(step + 1), end: () => go(last),
    play, dealback: () => otherDeal(-1), dealnext: () => otherDeal(1)};
  for (const [id, action] of Object.entries(actions)) at(id).addEventListener("click", action);
  at("step").max = last;
  at("step").addEventListener("input", () => go(Number(at("step").value)));
  at("viewer").append(...data.viewers.map(([id, name]) => {
    const option = make("option", "", name);
    option.value = id;
    return option;
  }));
  at("viewer").addEventListener("change", () => { watch(at("viewer").value); show(step); });
  at("speed").addEventListener("change", () => { if (timer) { stop(); play(); } });
  at("theme").addEventListener("change", () => { document.documentElement.dataset.theme = at("theme").value; });
  at("legal").addEventListener("toggle", () => show(step, true));
  at("events").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) go(Number(button.dataset.step));
  });
  at("events").addEventListener("keydown", (event) => {
    const way = {ArrowDown: 1, ArrowUp: -1}[event.key];
    const buttons = [...at("events").querySelectorAll("button")];
    const next = buttons[buttons.indexOf(document.activeElement) + way];
    if (way && next) { event.preventDefault(); next.focus(); }
  });
  at("graph").addEventListener("click", (event) => {
    const box = at("graph").getBoundingClientRect();
    const x = (event.clientX - box.left) * WIDE / box.width;
    go(Math.round((x - LEFT) / (WIDE - LEFT - RIGHT) * last));
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select")) return;
    const next = {ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: last}[event.key];
    if (next === undefined) return;
    event.preventDefault();
    go(next);
  });
  addEventListener("hashchange", follow);
  narrow.addEventListener("change", () => show(step, true));
  if (matchMedia("(prefers-contrast: more)").matches) {
    at("theme").value = "high-contrast";
    document.documentElement.dataset.theme = "high-contrast";
  }
  follow();
  document.documentElement.dataset.ready = "1";
})();
