// The client of one seat. It knows what the server sends and no rule of any game: the view lists the legal moves.
"use strict";

const byId = (id) => document.getElementById(id);
const token = location.hash.slice(1) || null; // without one: a spectator
const MOST = 24; // moves shown as buttons; with more, cards of the hand narrow them down
let socket, view, who = { here: [], bots: [] }, chosen = new Set(), since = 0;

function connect() {
  socket = new WebSocket(location.origin.replace("http", "ws") + "/table");
  socket.onopen = () => socket.send(JSON.stringify({ token, since }));
  socket.onmessage = (message) => receive(JSON.parse(message.data));
  socket.onclose = (closed) => {
    delete document.body.dataset.version; // nothing can be played until a fresh view is here
    byId("moves").replaceChildren();
    byId("title").textContent = { 4401: "This link opens no seat", 4409: "You sit here in another window" }[closed.code]
      || "Connecting …";
    if (closed.code !== 4401 && closed.code !== 4409) setTimeout(connect, 300);
  };
}

function receive(message) {
  if (message.type === "error") {
    byId("error").textContent = `${message.why} (${message.code})`;
    return;
  }
  if (message.type === "who") who = message;
  if (message.type === "news") {
    view = message.view;
    chosen = new Set();
    for (const event of message.events) {
      since = event.index + 1;
      const { type, index, version, deal, ...fields } = event;
      add(byId("events"), "li", `${type} ${Object.entries(fields).filter(([, value]) => value !== null)
        .map(([name, value]) => `${name}: ${show(value)}`).join("; ")}`);
    }
    byId("events").lastElementChild?.scrollIntoView({ block: "nearest" });
  }
  if (view) draw();
}

function send(message) {
  byId("error").textContent = "";
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

// Texts of the server go into text nodes only: a name may be anything.
function add(parent, tag, text, act) {
  const element = document.createElement(tag);
  element.textContent = text;
  if (act) element.onclick = act;
  parent.append(element);
  return element;
}

const show = (value) =>
  Array.isArray(value) ? `[${value.map(show).join(" ")}]`
  : value && typeof value === "object" ? Object.entries(value).map(([key, one]) => `${key}: ${show(one)}`).join(", ")
  : String(value);

const COMMON = ["game", "seat", "over", "winners", "phase", "turn", "to_move", "version", "ply", "dealer", "names",
  "deal_number", "scores", "points", "hand", "hand_sizes", "legal_moves", "rules"];

function draw() {
  byId("title").textContent = view.game + (view.seat === null ? ", looking on" : `, ${view.names[view.seat]}`);
  byId("status").textContent = view.over
    ? `Over. ${view.winners.map((seat) => view.names[seat]).join(" and ")} won.`
    : `Deal ${view.deal_number + 1}, ${view.phase}: ${view.to_move.map((seat) => view.names[seat]).join(", ")} to move`;
  byId("seats").replaceChildren();
  for (const [seat, name] of view.names.entries()) {
    const row = add(byId("seats"), "tr", "");
    row.classList.toggle("turn", view.to_move.includes(seat));
    for (const text of [name, view.hand_sizes[seat], view.points[seat], view.scores[seat]]) add(row, "td", text);
    const cell = add(row, "td", who.bots.includes(seat) ? "bot" : who.here.includes(seat) ? "here" : "away ");
    if (cell.textContent === "away " && view.seat !== null && !view.over)
      add(cell, "button", "let a bot play", () => send({ bot: seat }));
  }
  byId("zones").replaceChildren();
  for (const [name, value] of Object.entries(view))
    if (!COMMON.includes(name) && value !== null && show(value) !== "" && show(value) !== "[]") {
      add(byId("zones"), "dt", name);
      add(byId("zones"), "dd", show(value));
    }
  byId("hand").replaceChildren();
  for (const card of view.hand)
    add(byId("hand"), "button", card, () => {
      chosen.delete(card) || chosen.add(card);
      draw();
    }).setAttribute("aria-pressed", chosen.has(card));
  byId("moves").replaceChildren();
  const fitting = view.legal_moves.filter((move) => [...chosen].every((card) => move.split(" ").includes(card)));
  for (const move of fitting.slice(0, MOST))
    add(byId("moves"), "button", move, () => send({ move, at: view.version }));
  if (fitting.length > MOST) add(byId("moves"), "span", ` and ${fitting.length - MOST} more: choose cards above`);
  Object.assign(document.body.dataset, { version: view.version, over: view.over });
}

byId("typed").onsubmit = (event) => {
  event.preventDefault();
  if (view) send({ move: byId("text").value, at: view.version });
};
connect();
