// Rows in their folds and the measures' bars; every number comes from the page, nothing is computed here.
const PAUSE_MS = 4000;

export default function (component) {
  const stage = component.parentElement.querySelector(".stage");
  const state = (stage.lesson ??= { chosen: 0, at: 1, timer: null });
  Object.assign(state, { component, data: component.data, stage });
  if (state.shape !== component.data.shape) build(state);
  if (state.run !== component.data.run || state.asked !== component.data.at) {
    pause(state);
    state.at = component.data.at;
  }
  if (state.askedRow !== component.data.chosen) state.chosen = component.data.chosen;
  state.askedRow = component.data.chosen;
  Object.assign(state, { run: component.data.run, asked: component.data.at, shape: component.data.shape });
  draw(state);
  return () => pause(state);
}

function make(parent, tag, name, text = "") {
  const element = parent.appendChild(document.createElement(tag));
  element.className = name;
  element.textContent = text;
  return element;
}

function build(state) {
  const { data, stage } = state;
  const [grid, bars] = [stage.querySelector(".grid"), stage.querySelector(".bars")];
  grid.replaceChildren();
  bars.replaceChildren();
  state.folds = data.folds.map((name, fold) => {
    const line = make(grid, "div", "fold");
    line.style.top = `calc(${fold} * var(--cell))`;
    const title = make(line, data.movable ? "button" : "span", "");
    title.append(name, document.createElement("br"), make(title, "i", ""));
    if (data.movable) title.onclick = () => move(state, fold);
    return title;
  });
  grid.style.height = `calc(${data.folds.length} * var(--cell) + 1px)`;
  const cells = make(grid, "div", "cells");
  if (!data.movable) cells.setAttribute("role", "img");
  else cells.onclick = (event) => {  // the free room of a fold takes the chosen row
    const fold = Math.floor((event.offsetY * data.folds.length) / cells.clientHeight);
    if (event.target === cells && data.folds[fold]) move(state, fold);
  };
  state.tokens = data.tokens.map((name, row) => {
    const token = make(cells, data.movable ? "button" : "span", "token", name);
    if (data.movable) {
      token.onclick = () => choose(state, row);
      token.onkeydown = (event) => onKey(state, event);
    }
    return token;
  });
  state.bars = data.measures.map((name) => {
    const measure = make(bars, "div", "measure");
    const title = make(measure, "div", "");
    make(title, "b", "", name);
    const mean = make(title, "span", "");
    const meaning = make(measure, "small", "");
    const columns = make(measure, "div", "columns");
    columns.setAttribute("role", "img");
    const names = make(measure, "div", "names");
    names.setAttribute("aria-hidden", "true");
    const each = data.labels.map((label) => {
      const column = make(columns, "div", "column");
      make(names, "span", "", label);
      return { value: make(column, "span", ""), bar: make(column, "div", "bar") };
    });
    return { columns, mean, meaning, each };
  });
  const [input, play] = [stage.querySelector("input"), stage.querySelector(".play")];
  input.oninput = () => { pause(state); state.at = Number(input.value); draw(state); };
  input.onchange = () => tell(state);
  play.onclick = () => (state.timer ? (pause(state), tell(state)) : start(state));
  stage.querySelector(".back").onclick = () => step(state, -1);
  stage.querySelector(".on").onclick = () => step(state, 1);
}

function draw(state) {
  const { data, stage } = state;
  const frame = data.frames[state.at - 1];
  const last = data.frames.length;
  const place = (row) => frame.columns[row];
  const width = 100 / data.width;
  stage.style.setProperty("--token", `min(42px, calc(${width}% - 4px))`);
  state.folds.forEach((title, fold) => {
    title.querySelector("i").textContent = frame.sizes[fold];
    if (data.movable) {
      title.disabled = frame.folds[state.chosen] === fold;
      title.setAttribute("aria-label", `Move ${data.tokens[state.chosen]} to ${data.folds[fold]}`);
    }
  });
  state.tokens.forEach((token, row) => {
    token.style.left = `${place(row) * width}%`;
    token.style.top = `calc(${frame.folds[row]} * var(--cell))`;
    token.className = `token ${frame.kinds[row]}${frame.moved.includes(row) ? " moved" : ""}`;
    if (!data.movable) return;
    if (row === state.chosen) token.classList.add("chosen");
    token.tabIndex = row === state.chosen ? 0 : -1;
    token.setAttribute("aria-label", `${data.tokens[row]}, in ${data.folds[frame.folds[row]]}`);
    token.setAttribute("aria-pressed", String(row === state.chosen));
  });
  const grid = stage.querySelector(data.movable ? ".grid" : ".cells");
  grid.setAttribute("aria-label", data.movable ? data.help : frame.alt);
  state.bars.forEach((measure, at) => {
    const scores = frame.scores[at];
    measure.mean.textContent = ` ${scores.mean}`;
    measure.meaning.textContent = scores.meaning;
    measure.columns.setAttribute("aria-label", scores.alt);
    measure.each.forEach(({ value, bar }, label) => {
      value.textContent = scores.texts[label];
      bar.style.height = `${scores.heights[label] * 100}%`;
      bar.className = `bar ${frame.bars[label]}`;
    });
  });
  stage.querySelector(".transport").hidden = last === 1;
  drawWords(state, frame, last);
  drawTransport(state, last);
}

// What is said is of this picture and of those before it: nothing of what is still to come.
function drawWords(state, frame, last) {
  const { data, stage } = state;
  stage.querySelector(".words").hidden = last === 1;
  if (last === 1) return;
  const [says, seen] = [stage.querySelector(".says"), stage.querySelector(".seen")];
  says.replaceChildren();
  frame.says.forEach(([strong, text]) => { make(says, "b", "", `${strong} `); says.append(`${text} `); });
  seen.replaceChildren();
  const [lead, right] = data.verdict;
  if (frame.proof) make(seen, "b", lead === "Right:" ? "right" : "", `${lead} ${right} `);
  else make(seen, "span", "", "Watch: are moves kept that make labels worse? ");
  seen.append(frame.tally);
}

function drawTransport(state, last) {
  const { data, stage } = state;
  const input = stage.querySelector("input");
  input.max = last;
  input.value = state.at;
  input.setAttribute("aria-valuetext", `${state.at} of ${last}`);
  stage.querySelector("output").textContent = `${state.at} of ${last}`;
  stage.querySelector(".back").disabled = state.at === 1;
  stage.querySelector(".on").disabled = state.at === last;
  stage.querySelector(".play").textContent = state.timer ? "Pause" : "Play";
  const trace = stage.querySelector(".trace");
  trace.setAttribute("viewBox", `0 0 ${Math.max(1, last - 1)} 1`);
  trace.querySelector("polyline").setAttribute("points", data.trace.slice(0, state.at).map((y, x) => `${x},${y}`).join(" "));
}

function start(state) {
  if (state.at === state.data.frames.length) state.at = 1;
  else state.at += 1;
  state.timer = setInterval(() => {
    state.at += 1;
    const isOver = state.at >= state.data.frames.length;
    if (isOver) pause(state);
    draw(state);
    if (isOver) tell(state);
    else address(state);
  }, PAUSE_MS);
  draw(state);
  address(state);
}

// The address names the picture also while the run plays; the page need not know.
function address(state) {
  const url = new URL(window.location.href);
  url.searchParams.set("at", state.at);
  window.history.replaceState(window.history.state, "", url);
}

function pause(state) {
  clearInterval(state.timer);
  state.timer = null;
}

function step(state, by) {
  pause(state);
  state.at = Math.min(state.data.frames.length, Math.max(1, state.at + by));
  draw(state);
  tell(state);
}

// The page is told where the run rests, not of every frame: it keeps the frame in the address.
function tell(state) {
  draw(state);
  state.asked = state.at;
  state.component.setStateValue("at", state.at);
}

function choose(state, row) {
  state.chosen = row;
  draw(state);
  state.tokens[row].focus();
  state.askedRow = row;
  state.component.setStateValue("chosen", row);  // the page keeps it in the address
}

function move(state, fold) {
  state.component.setTriggerValue("move", { row: state.chosen, fold });
}

function onKey(state, event) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const to = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (by === undefined && to === undefined) return;
  event.preventDefault();
  const { folds, columns } = state.data.frames[state.at - 1];
  if (to !== undefined) {
    const fold = folds[state.chosen] + to;
    if (fold >= 0 && fold < state.data.folds.length) move(state, fold);
    return;
  }
  const order = state.tokens.map((_, row) => row).sort((a, b) => folds[a] - folds[b] || columns[a] - columns[b]);
  const next = order.indexOf(state.chosen) + by;
  if (next >= 0 && next < order.length) choose(state, order[next]);
}
