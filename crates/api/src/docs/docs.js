// Shows /openapi.json and sends requests to it. All text goes in as text, never as markup.

const METHODS = ["get", "post", "put", "patch", "delete", "head", "options"];
const DEPTH = 8;

/** Makes an element: el("p", { class: "x", onclick: f }, child, "text", …). */
function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value != null) node.setAttribute(key, value);
  }
  node.append(...children.flat(Infinity).filter((child) => child != null && child !== ""));
  return node;
}

/** Descriptions are Markdown; of that, paragraphs and `code` are enough here. */
function prose(text) {
  if (!text) return [];
  return text.split(/\n\s*\n/).map((paragraph) =>
    el("p", {}, paragraph.split(/(`[^`]+`)/).map((part) =>
      part.length > 2 && part.startsWith("`") ? el("code", {}, part.slice(1, -1)) : part)));
}

let contract = {};

/** Follows local references such as #/components/schemas/Item. */
function resolve(node) {
  for (let hops = 0; node?.$ref && hops < DEPTH; hops++) {
    const path = node.$ref.replace(/^#\//, "").split("/");
    node = path.reduce((at, key) => at?.[key.replace(/~1/g, "/").replace(/~0/g, "~")], contract);
  }
  return node ?? {};
}

function typeName(given) {
  const schema = resolve(given);
  const name = given?.$ref?.split("/").pop();
  if (name && !schema.enum) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return choices.map(typeName).join(" | ");
  if (schema.allOf) return schema.allOf.map(typeName).join(" & ");
  const types = [schema.type ?? "any"].flat();
  return types.map((type) => {
    if (type === "array") return `${typeName(schema.items)}[]`;
    return schema.format && type !== "null" ? `${type} (${schema.format})` : type;
  }).join(" | ");
}

/** The rules of a value in words. */
function rules(schema) {
  const names = {
    minLength: "min length", maxLength: "max length", minimum: "min", maximum: "max",
    exclusiveMinimum: "above", exclusiveMaximum: "below", minItems: "min items",
    maxItems: "max items", pattern: "pattern", multipleOf: "multiple of", default: "default",
  };
  return Object.entries(names)
    .filter(([key]) => schema[key] !== undefined)
    .map(([key, name]) => `${name} ${typeof schema[key] === "string" ? schema[key] : JSON.stringify(schema[key])}`)
    .join(", ");
}

/** The parts of a schema that have fields of their own. */
function parts(schema) {
  return [schema, ...[schema.allOf, schema.oneOf, schema.anyOf].flatMap((list) => (list ?? []).map(resolve))];
}

function schemaTree(given, seen = []) {
  const schema = resolve(given);
  if (seen.includes(schema) || seen.length > DEPTH) return null;
  const path = [...seen, schema];
  if (schema.items) return schemaTree(schema.items, path);
  const fields = parts(schema).flatMap((part) =>
    Object.entries(part.properties ?? {}).map(([name, field]) => {
      const target = resolve(field);
      return el("li", {},
        el("code", { class: part.required?.includes(name) && "required" }, name), " ",
        el("span", { class: "faint" }, typeName(field), rules(target) && ` · ${rules(target)}`),
        prose(field.description ?? target.description),
        schemaTree(field, path));
    }));
  // A choice between references has its fields one level further down.
  const deeper = fields.length ? [] : parts(schema).slice(1).map((part) => schemaTree(part, path));
  const others = typeof schema.additionalProperties === "object"
    ? [el("li", {}, el("code", {}, "…"), " ", el("span", { class: "faint" }, typeName(schema.additionalProperties)))]
    : [];
  const items = [...fields, ...others];
  return items.length ? el("ul", { class: "schema" }, items) : deeper.find(Boolean) ?? null;
}

/** A body to start from: only what is required, unless the contract gives an example. */
function example(given, depth = 0) {
  const schema = resolve(given);
  if (schema.example !== undefined) return schema.example;
  if (schema.examples?.length) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (depth > DEPTH) return null;
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => example(part, depth + 1)));
  const choice = (schema.oneOf ?? schema.anyOf)?.find((part) => resolve(part).type !== "null");
  if (choice) return example(choice, depth + 1);
  const type = [schema.type].flat().find((name) => name !== "null");
  if (type === "object" || schema.properties) {
    const wanted = schema.required ?? Object.keys(schema.properties ?? {});
    return Object.fromEntries(wanted.map((name) => [name, example(schema.properties?.[name], depth + 1)]));
  }
  if (type === "array") return [example(schema.items, depth + 1)];
  if (type === "integer" || type === "number") return schema.minimum ?? 1;
  if (type === "boolean") return false;
  if (schema.format === "uuid") return "00000000-0000-4000-8000-000000000000";
  if (schema.format === "date") return "2030-01-31";
  return type === "string" ? "" : null;
}

/** The media type of a body and its schema, JSON first. */
function content(body) {
  const types = Object.entries(body?.content ?? {});
  return types.find(([type]) => type.includes("json")) ?? types[0] ?? [];
}

function table(headings, rows) {
  return el("div", { class: "scroll" }, el("table", {},
    el("thead", {}, el("tr", {}, headings.map((text) => el("th", { scope: "col" }, text)))),
    el("tbody", {}, rows)));
}

function parameterTable(parameters) {
  return table(["Name", "In", "Type", ""], parameters.map((parameter) => {
    const schema = resolve(parameter.schema);
    return el("tr", {},
      el("td", {}, el("code", { class: parameter.required && "required" }, parameter.name)),
      el("td", {}, parameter.in),
      el("td", { class: "mono" }, typeName(parameter.schema)),
      el("td", {}, prose(parameter.description ?? schema.description), el("span", { class: "faint" }, rules(schema))));
  }));
}

function responseTable(responses) {
  return table(["Status", "Meaning", "Body"], Object.entries(responses).map(([status, given]) => {
    const response = resolve(given);
    const [type, media] = content(response);
    const tree = media?.schema && schemaTree(media.schema);
    return el("tr", {},
      el("td", { class: /^[123]/.test(status) ? "good" : "bad" }, status),
      el("td", {}, prose(response.description)),
      el("td", {}, !type ? "–" : tree
        ? el("details", {}, el("summary", { class: "mono" }, typeName(media.schema)), el("p", { class: "faint" }, type), tree)
        : el("code", {}, media?.schema ? typeName(media.schema) : type)));
  }));
}

function pretty(text, type) {
  if (!type?.includes("json")) return text;
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

/** Sends the request of a form, relative to this page, and shows the answer as it arrives: a stream may never end. */
async function send(method, url, init, output, signal) {
  output.replaceChildren(el("p", { class: "faint" }, "Sending…"));
  try {
    const started = performance.now();
    const response = await fetch(`.${url}`, { ...init, method: method.toUpperCase(), signal, credentials: "same-origin" });
    const type = response.headers.get("content-type");
    const body = el("pre", { tabindex: "0", "aria-label": "Response body" });
    output.replaceChildren(
      el("p", { class: response.ok ? "good" : "bad" },
        `${response.status} ${response.statusText} · ${Math.round(performance.now() - started)} ms`),
      el("details", {}, el("summary", {}, "Headers"),
        el("pre", {}, [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n"))),
      body);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let chunk; reader && !(chunk = await reader.read()).done;) body.append(chunk.value);
    body.textContent = pretty(body.textContent, type) || "(no body)";
  } catch (error) {
    output.append(el("p", { class: "bad" }, error.name === "AbortError" ? "Stopped." : `No answer: ${error.message}`));
  }
}

function tryIt(method, path, parameters, body) {
  const [mediaType, media] = content(body);
  const inputs = parameters.filter((parameter) => parameter.in !== "cookie").map((parameter) => ({
    ...parameter,
    input: el("input", { required: parameter.in === "path", autocomplete: "off", spellcheck: "false" }),
  }));
  const text = mediaType && el("textarea", { spellcheck: "false" });
  if (text) text.value = JSON.stringify(media.example ?? example(media.schema), null, 2);
  const output = el("div", { role: "status", "aria-live": "polite" });
  let running;

  async function submit(event) {
    event.preventDefault();
    running?.abort();
    running = new AbortController();
    const query = new URLSearchParams();
    const headers = new Headers();
    let target = path;
    for (const { name, in: place, input } of inputs) {
      if (place === "path") target = target.replace(`{${name}}`, encodeURIComponent(input.value));
      else if (input.value && place === "query") query.set(name, input.value);
      else if (input.value) headers.set(name, input.value);
    }
    const token = document.getElementById("token").value.trim();
    if (token) headers.set("authorization", `Bearer ${token}`);
    const payload = text?.value.trim() || undefined;
    if (payload) headers.set("content-type", mediaType);
    await send(method, query.size ? `${target}?${query}` : target, { headers, body: payload }, output, running.signal);
  }

  return el("form", { class: "try", onsubmit: submit },
    el("div", { class: "inputs" }, inputs.map(({ name, in: place, required, input }) =>
      el("label", {}, el("span", { class: required && "required" }, name), ` (${place})`, input))),
    text && el("label", {}, `Body (${mediaType})`, text),
    el("div", { class: "buttons" },
      el("button", { type: "submit" }, "Send"),
      el("button", { type: "button", onclick: () => running?.abort() }, "Stop")),
    output);
}

function operationView(method, path, operation, shared) {
  // A parameter of the operation replaces the one of its path with the same name and place.
  const parameters = [...new Map([...shared, ...(operation.parameters ?? [])].map(resolve)
    .map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values()];
  const body = operation.requestBody && resolve(operation.requestBody);
  const [, media] = content(body);
  const title = operation.summary ?? "";
  const inside = el("div");
  const view = el("details", { class: `operation ${operation.deprecated ? "deprecated" : ""}`, id: `${method}-${path}` },
    el("summary", {},
      el("span", { class: `method ${method}` }, method.toUpperCase()),
      el("span", { class: "path" }, path),
      el("span", { class: "summary" }, title)),
    inside);
  // Built when first opened: a long contract shows at once.
  view.addEventListener("toggle", () => inside.append(...[
    prose(operation.description),
    parameters.length ? [el("h3", {}, "Parameters"), parameterTable(parameters)] : [],
    body ? [el("h3", {}, `Body${body.required ? "" : " (optional)"}`), prose(body.description),
      el("p", { class: "mono" }, typeName(media?.schema)), schemaTree(media?.schema) ?? ""] : [],
    [el("h3", {}, "Responses"), responseTable(operation.responses ?? {})],
    [el("h3", {}, "Try it"), tryIt(method, path, parameters, body)],
  ].flat(Infinity)), { once: true });
  const words = [method, path, title, operation.description, operation.operationId,
    ...Object.entries(operation.responses ?? {}).flatMap(([status, response]) => [status, resolve(response).description])];
  return { view, words: words.filter(Boolean).join(" ").toLowerCase() };
}

function show() {
  document.title = contract.info?.title ?? document.title;
  document.getElementById("title").textContent = `${document.title} ${contract.info?.version ?? ""}`;
  document.getElementById("about").replaceChildren(...prose(contract.info?.description));
  const groups = new Map((contract.tags ?? []).map((tag) => [tag.name, { about: tag.description, list: [] }]));
  for (const [path, item] of Object.entries(contract.paths ?? {})) {
    for (const method of METHODS.filter((name) => item[name])) {
      const tag = item[method].tags?.[0] ?? "Other";
      if (!groups.has(tag)) groups.set(tag, { list: [] });
      groups.get(tag).list.push(operationView(method, path, item[method], item.parameters ?? []));
    }
  }
  const sections = [...groups].filter(([, { list }]) => list.length).map(([name, { about, list }]) =>
    ({ list, node: el("section", {}, el("h2", {}, name), prose(about), list.map(({ view }) => view)) }));
  document.getElementById("operations").replaceChildren(...sections.map(({ node }) => node));
  const filter = document.getElementById("filter");
  function apply() {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { list, node } of sections) {
      for (const { view, words } of list) view.hidden = !wanted.every((word) => words.includes(word));
      const visible = list.filter(({ view }) => !view.hidden).length;
      node.hidden = visible === 0;
      count += visible;
    }
    document.getElementById("count").textContent = `${count} operation${count === 1 ? "" : "s"}`;
  }
  filter.addEventListener("input", apply);
  apply();
  const linked = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (linked) { linked.open = true; linked.scrollIntoView(); }
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.closest("input, textarea")) return;
  event.preventDefault();
  document.getElementById("filter").focus();
});

try {
  const response = await fetch("openapi.json");
  if (!response.ok) throw new Error(`status ${response.status}`);
  contract = await response.json();
  show();
} catch (error) {
  document.getElementById("count").textContent = `The contract could not be shown: ${error.message}`;
}
