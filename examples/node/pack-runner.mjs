// Runs an implementation in JavaScript on a pack that `parity export` wrote. It needs Node 20 and nothing else.
//
//     node pack-runner.mjs PACK MODULE [SURFACE…]
//
// The module exports `run(surface, input)`, which returns {value} or {error: {type, message}}, and may export
// `surfaces`, the list of those it answers. Values are native: an int is a BigInt, a float a number, bytes are a
// Uint8Array, a dict is a Map, and a record is a plain object.
//
// Exit codes: 0 every answer agrees, 1 some do not, 2 nothing could be compared.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const SHOWN = 10; // answers shown a surface

class CannotRun extends Error {}

// --- values ----------------------------------------------------------------------------------------------------------

const FLOATS = { nan: NaN, inf: Infinity, "-inf": -Infinity };
const DECODERS = {
  int: (text) => BigInt(text),
  float: (text) => FLOATS[text] ?? Number(text),
  bytes: (text) => Uint8Array.from(text, (character) => character.charCodeAt(0)),
  dict: (pairs) => new Map(pairs.map(([key, value]) => [decode(key), decode(value)])),
};

/** Turns encoded JSON into the value it stands for. */
export function decode(data) {
  if (Array.isArray(data)) return data.map(decode);
  if (data === null || typeof data !== "object") return data;
  const fields = Object.entries(data);
  if (fields.length === 1 && Object.hasOwn(DECODERS, fields[0][0])) return DECODERS[fields[0][0]](fields[0][1]);
  return Object.fromEntries(fields.map(([name, value]) => [name, decode(value)]));
}

/** Turns a value into JSON that keeps types, bits and order. */
export function encode(value) {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return { int: String(value) };
  if (typeof value === "number") return { float: floatText(value) };
  if (value instanceof Uint8Array) return { bytes: Array.from(value, (byte) => String.fromCharCode(byte)).join("") };
  if (value instanceof Map) return { dict: Array.from(value, ([key, item]) => [encode(key), encode(item)]) };
  if (Array.isArray(value)) return value.map(encode);
  if (value && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, encode(item)]));
  }
  throw new TypeError(`a ${typeof value} has no encoding`);
}

/** Writes a float as Python does: the digits are JavaScript's, but the exponent begins elsewhere and has two digits. */
export function floatText(number) {
  if (Number.isNaN(number)) return "nan";
  if (!Number.isFinite(number)) return number > 0 ? "inf" : "-inf";
  const sign = number < 0 || Object.is(number, -0) ? "-" : "";
  const [mantissa, exponent] = Math.abs(number).toExponential().split("e");
  const digits = mantissa.replace(".", "");
  const power = Number(exponent);
  if (power < -4 || power >= 16) {
    const point = digits.length > 1 ? `.${digits.slice(1)}` : "";
    return `${sign}${digits[0]}${point}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  if (power < 0) return `${sign}0.${"0".repeat(-power - 1)}${digits}`;
  const whole = digits.slice(0, power + 1).padEnd(power + 1, "0");
  return `${sign}${whole}.${digits.slice(power + 1) || "0"}`;
}

function encodedOutcome(outcome) {
  if ("value" in outcome) return { value: encode(outcome.value) };
  const { details, ...error } = outcome.error;
  if (!details) return { error };
  return { error: { ...error, details: details.map(({ loc, type }) => ({ loc: encode(loc), type })) } };
}

// --- comparing -------------------------------------------------------------------------------------------------------

/** Writes JSON with the fields of objects sorted, which is the only order that says nothing. */
function canonical(data) {
  return JSON.stringify(data, (_, item) =>
    item && typeof item === "object" && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

function withSortedPairs(data) {
  if (Array.isArray(data)) return data.map(withSortedPairs);
  if (data === null || typeof data !== "object") return data;
  const fields = Object.entries(data).map(([name, value]) => [name, withSortedPairs(value)]);
  if (fields.length === 1 && fields[0][0] === "dict") {
    return { dict: fields[0][1].toSorted((a, b) => (canonical(a) < canonical(b) ? -1 : 1)) };
  }
  return Object.fromEntries(fields);
}

/** By the name that a case gives: whether an encoded answer agrees with what is expected. */
export const AGREE = {
  "exact": (answer, expect) => canonical(answer) === canonical(expect),
  "any-key-order": (answer, expect) => canonical(withSortedPairs(answer)) === canonical(withSortedPairs(expect)),
  "error-type": (answer, expect) => answer.error?.type === expect.error.type,
  "any-error": (answer) => "error" in answer,
};

// --- the pack --------------------------------------------------------------------------------------------------------

/** Reads a pack, and refuses one whose files are not as they were exported. */
export function readPack(folder) {
  const manifest = parsed(join(folder, "manifest.json"));
  if (manifest.pack !== "harbor-parity" || manifest.format !== 1) {
    throw new CannotRun(`${folder}: this runner reads format 1 of the harbor-parity pack`);
  }
  const unknown = Object.keys(manifest.comparisons).filter((name) => !(name in AGREE));
  if (unknown.length) throw new CannotRun(`${folder}: this runner does not know how to compare ${unknown}`);
  const cases = [];
  for (const { path, bytes, sha256, surface } of manifest.files) {
    const content = contentOf(join(folder, path));
    if (content.length !== bytes || createHash("sha256").update(content).digest("hex") !== sha256) {
      throw new CannotRun(`${path} is not as it was exported: export the pack again`);
    }
    if (surface) cases.push(...content.toString().trimEnd().split("\n").map((line) => JSON.parse(line)));
  }
  if (cases.length !== manifest.cases) throw new CannotRun(`${folder}: not all ${manifest.cases} cases are there`);
  return { manifest, cases };
}

function contentOf(path) {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new CannotRun(`${path}: ${error.message}`);
  }
}

function parsed(path) {
  try {
    return JSON.parse(contentOf(path));
  } catch (error) {
    if (error instanceof CannotRun) throw error;
    throw new CannotRun(`${path}: ${error.message}`);
  }
}

// --- running ---------------------------------------------------------------------------------------------------------

/** Gives one case to the implementation; null means that it agrees, otherwise its answer comes back. */
export function disagreement(run, { surface, input, expect, compare }) {
  let answer;
  try {
    answer = encodedOutcome(run(surface, decode(input)));
  } catch (fault) {
    return { threw: String(fault?.stack ?? fault) }; // a fault of the implementation: it is no outcome, so it never agrees
  }
  return AGREE[compare](answer, expect) ? null : answer;
}

function report(surface, cases, run) {
  const wrong = cases.map((each) => [each, disagreement(run, each)]).filter(([, answer]) => answer !== null);
  console.log(`${surface}: ${cases.length - wrong.length} of ${cases.length} cases agree`);
  for (const [each, answer] of wrong.slice(0, SHOWN)) {
    console.log(`  ${each.name} (case ${each.case}): ${each.note}`);
    console.log(`    input  ${clipped(JSON.stringify(each.input))}`);
    console.log(`    expect ${clipped(JSON.stringify(each.expect))} (${each.compare})`);
    console.log(`    answer ${clipped(answer.threw ? `threw ${answer.threw}` : JSON.stringify(answer))}`);
  }
  if (wrong.length > SHOWN) console.log(`  … and ${wrong.length - SHOWN} more`);
  return wrong.length;
}

function clipped(text) {
  return text.length <= 400 ? text : `${text.slice(0, 300)} … ${text.slice(-60)} (${text.length} characters)`;
}

async function main([folder, module, ...chosen]) {
  if (!module) throw new CannotRun("usage: node pack-runner.mjs PACK MODULE [SURFACE…]");
  const { manifest, cases } = readPack(folder);
  const implementation = await import(pathToFileURL(resolve(module))).catch((error) => {
    throw new CannotRun(`${module}: ${error.message}`);
  });
  if (typeof implementation.run !== "function") throw new CannotRun(`${module} exports no function named run`);
  const offered = chosen.length ? chosen : (implementation.surfaces ?? manifest.surfaces.map(({ surface }) => surface));
  console.log(`pack ${manifest.version}, harbor ${manifest.harbor}`);
  let wrong = 0;
  for (const surface of offered) {
    const mine = cases.filter((each) => each.surface === surface);
    if (!mine.length) throw new CannotRun(`the pack has no surface ${surface}`);
    wrong += report(surface, mine, implementation.run);
  }
  return wrong ? 1 : 0;
}

function refused(error) {
  if (!(error instanceof CannotRun)) throw error;
  console.error(`pack-runner: ${error.message}`);
  return 2;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  // Not awaited here: a module under test may import from this file, and would wait for it for ever.
  main(process.argv.slice(2)).catch(refused).then((code) => (process.exitCode = code));
}
