// The pack in Node, without any Python: PACK names the folder that `parity export` wrote.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

import * as passAtK from "../../examples/node/pass-at-k.mjs";
import { AGREE, decode, disagreement, encode, floatText, readPack } from "../../examples/node/pack-runner.mjs";

const PACK = process.env.PACK;
const EXAMPLES = fileURLToPath(new URL("../../examples/node/", import.meta.url));
const { manifest, cases } = readPack(PACK);
const scratch = mkdtempSync(join(tmpdir(), "pack-"));
after(() => rmSync(scratch, { recursive: true }));

function node(...command) {
  const options = { cwd: scratch, encoding: "utf8", maxBuffer: 2 ** 26 }; // a line a case, and whole jobs are long
  const { status, stdout, stderr } = spawnSync(process.execPath, command, options);
  return { status, stdout, stderr };
}

function runner(pack, module, ...surfaces) {
  return node(join(EXAMPLES, "pack-runner.mjs"), pack, module, ...surfaces);
}

function copied(name) {
  const folder = join(scratch, name);
  cpSync(PACK, folder, { recursive: true });
  return folder;
}

/** Writes the sample implementation with one expression changed. */
function planted(name, right, wrong) {
  const source = readFileSync(join(EXAMPLES, "pass-at-k.mjs"), "utf8");
  assert.equal(source.split(right).length, 2, `${right} stands once in the sample`);
  const path = join(scratch, `${name}.mjs`);
  writeFileSync(path, source.replace(right, wrong));
  return path;
}

test("no Python is within reach", () => {
  assert.equal(spawnSync("python3").error?.code, "ENOENT");
  assert.equal(spawnSync("python").error?.code, "ENOENT");
});

test("an implementation that is right agrees on every case", () => {
  const done = runner(PACK, join(EXAMPLES, "pass-at-k.mjs"));
  const count = cases.filter(({ surface }) => surface === "pass_at_k").length;
  assert.ok(count >= 48);
  assert.deepEqual(done, {
    status: 0,
    stdout: `pack ${manifest.version}, harbor 0.13.1\npass_at_k: ${count} of ${count} cases agree\n`,
    stderr: "",
  });
});

const FAULTS = {
  "plain-sum": ["(total + lost)", "total"],
  "closed-form": ["(failures - drawn) / (attempts - drawn)", "(1 - k / (attempts - drawn))"],
  "one-is-not-1.0": ["reward == 0 || reward == 1", "reward === 0n || reward === 1n"],
  "integers-as-floats": ["BigInt(k)", "k"],
  "every-k": ["k *= 2", "k += 1"],
  "unsorted-ks": [".sort((a, b) => a - b)", ""],
  "no-dataset": ['trial.source || "adhoc"', 'trial.source ?? "adhoc"'],
  "groups-are-kept": [".filter(([, estimate]) => estimate.size)", ""],
};
for (const [name, [right, wrong]] of Object.entries(FAULTS)) {
  test(`a planted fault is found: ${name}`, () => {
    const done = runner(PACK, planted(name, right, wrong));
    assert.equal(done.status, 1, done.stderr);
    assert.match(done.stdout, /pass_at_k: \d+ of \d+ cases agree\n {2}pass_at_k\//);
  });
}

test("an implementation that throws is shown with its last words", () => {
  const path = join(scratch, "throws.mjs");
  writeFileSync(path, 'export function run() { throw new Error("not today"); }');
  const done = runner(PACK, path, "rubric");
  assert.equal(done.status, 1);
  // Refusals may come in any words, but a program that breaks down has refused nothing.
  assert.match(done.stdout, /rubric: 0 of \d+ cases agree/);
  assert.match(done.stdout, /threw Error: not today/);
});

test("every value survives decoding and encoding", () => {
  assert.equal(cases.length, manifest.cases);
  for (const { input, expect } of cases) {
    assert.deepEqual(encode(decode(input)), input);
    if ("value" in expect) assert.deepEqual(encode(decode(expect.value)), expect.value);
  }
});

test("a float is written as Python writes it", () => {
  const small = "0.0 -0.0 1.0 0.1 -0.1 0.0001 0.00012 1e-05 1.5e-07 5e-324 2.2250738585072014e-308";
  const large = "1234.5 9007199254740992.0 1e+16 1.5e+16 1e+22 1e+100 1.7976931348623157e+308 nan inf -inf";
  for (const text of `${small} ${large}`.split(" ")) assert.equal(floatText(decode({ float: text })), text);
});

test("what the recordings say agrees with itself, and no other outcome does", () => {
  for (const { expect, compare } of cases) {
    assert.ok(AGREE[compare](expect, expect));
    assert.ok(!AGREE[compare]("value" in expect ? { error: { type: "E", message: "" } } : { value: null }, expect));
    if ("value" in expect) assert.ok(!AGREE[compare]({ value: [expect.value] }, expect));
  }
});

test("a relaxation lets pass what it names, and no more", () => {
  const pairs = (...items) => ({ value: { verified: true, rewards: { dict: items } } });
  const [a, b] = [["a", { float: "1.0" }], ["b", { float: "0.0" }]];
  assert.ok(AGREE["any-key-order"](pairs(a, b), pairs(b, a)));
  assert.ok(!AGREE["any-key-order"](pairs(a, ["b", { float: "-0.0" }]), pairs(b, a)));
  assert.ok(!AGREE["any-key-order"](pairs(a, ["b", { int: "0" }]), pairs(b, a)));
  assert.ok(!AGREE.exact(pairs(a, b), pairs(b, a)));
  const error = (type, message) => ({ error: { type, message } });
  assert.ok(AGREE["error-type"](error("E", "x"), error("E", "y")));
  assert.ok(!AGREE["error-type"](error("F", "x"), error("E", "x")));
  assert.ok(AGREE["any-error"](error("F", "x"), error("E", "y")));
  assert.ok(!AGREE.exact(error("E", "x"), error("E", "y")));
});

test("each comparison is needed by some case", () => {
  assert.deepEqual(new Set(cases.map(({ compare }) => compare)), new Set(Object.keys(AGREE)));
});

test("the sample is called with native values", () => {
  const mine = cases.filter(({ surface }) => surface === "pass_at_k");
  assert.ok(mine.every((each) => disagreement(passAtK.run, each) === null));
});

test("a pack that was changed is refused", () => {
  const folder = copied("changed");
  const path = join(folder, "cases", "metric.jsonl");
  writeFileSync(path, readFileSync(path, "utf8").replace("0.5", "0.6"));
  const done = runner(folder, join(EXAMPLES, "pass-at-k.mjs"));
  assert.deepEqual([done.status, done.stdout], [2, ""]);
  assert.equal(done.stderr, "pack-runner: cases/metric.jsonl is not as it was exported: export the pack again\n");
});

test("what cannot run says why in one line", () => {
  const module = join(EXAMPLES, "pass-at-k.mjs");
  for (const [command, words] of [
    [[], /usage: node pack-runner.mjs PACK MODULE/],
    [[scratch, module], /manifest.json/],
    [[PACK, "no-such-module.mjs"], /no-such-module.mjs/],
    [[PACK, join(EXAMPLES, "pack-runner.mjs")], /exports no function named run/],
    [[PACK, module, "nothing"], /the pack has no surface nothing/],
  ]) {
    const done = node(join(EXAMPLES, "pack-runner.mjs"), ...command);
    assert.equal(done.status, 2, done.stdout);
    assert.match(done.stderr, words);
    assert.equal(done.stderr.trimEnd().split("\n").length, 1, done.stderr);
  }
});

test("the runner in the pack's README works as it stands", () => {
  const folder = copied("sketch");
  const [, sketch] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(folder, "README.md"), "utf8"));
  writeFileSync(join(folder, "runner.mjs"), sketch);
  const answers = (changes) => `
    import { readdirSync, readFileSync } from "node:fs";
    const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8").trimEnd().split("\\n").map(JSON.parse);
    const known = readdirSync(new URL("cases/", import.meta.url)).flatMap((name) => read("cases/" + name));
    const text = (surface, input) => surface + JSON.stringify(input);
    const recorded = new Map(known.map((each) => [text(each.surface, each.input), each]));
    const changed = { ${changes} };
    export function answer(surface, input) {
      const { expect, compare } = recorded.get(text(surface, input));
      return changed[compare]?.(structuredClone(expect)) ?? expect;
    }`;
  const right = `
    "any-key-order": (outcome) => { outcome.value.rewards.dict.reverse(); return outcome; },
    "error-type": ({ error }) => ({ error: { ...error, message: "other words" } }),
    "any-error": () => ({ error: { type: "Other", message: "" } })`;
  writeFileSync(join(folder, "implementation.mjs"), answers(right));
  assert.deepEqual(node(join(folder, "runner.mjs")), { status: 0, stdout: "", stderr: "" });
  for (const [compare, wrong] of [
    ["exact", "(outcome) => ({ ...outcome, more: null })"],
    ["any-key-order", "(outcome) => { outcome.value.rewards.dict[0].reverse(); return outcome; }"],
    ["error-type", '({ error }) => ({ error: { ...error, type: "Other" } })'],
    ["any-error", "() => ({ value: null })"],
  ]) {
    writeFileSync(join(folder, "implementation.mjs"), answers(`"${compare}": ${wrong}`));
    const done = node(join(folder, "runner.mjs"));
    assert.equal(done.status, 1, done.stderr);
    const expected = cases.filter((each) => each.compare === compare).map(({ name }) => name);
    assert.equal(done.stdout.trimEnd().split("\n").length, expected.length);
  }
});
