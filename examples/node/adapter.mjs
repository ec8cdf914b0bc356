// Rewards and metrics as a dashboard in JavaScript computes them, and the wire of docs/protocol.md around them.
import { createInterface } from "node:readline";

class Rejected extends Error {
  constructor(type) {
    super(type);
    this.type = type;
  }
}

function readRewards(files) {
  const content = (file) => (file && "bytes" in file ? Buffer.from(file.bytes, "latin1").toString("utf8") : null);
  const [json, text] = [content(files["reward.json"]), content(files["reward.txt"])];
  if (json === null && text === null) throw new Rejected("RewardFileNotFoundError");
  if ((json ?? text) === "") throw new Rejected("RewardFileEmptyError");
  try {
    if (json !== null) return JSON.parse(json);
  } catch {
    throw new Rejected("VerifierOutputParseError");
  }
  const reward = Number(text);
  if (Number.isNaN(reward)) throw new Rejected("VerifierOutputParseError");
  return { reward };
}

const reducers = {
  mean: (numbers) => reducers.sum(numbers) / numbers.length,
  sum: (numbers) => numbers.reduce((total, number) => total + number, 0),
  max: (numbers) => Math.max(...numbers),
  min: (numbers) => Math.min(...numbers),
};

function metric(name, trials) {
  const keys = [...new Set(trials.flatMap((rewards) => Object.keys(rewards ?? {})))].sort();
  const column = (key) => trials.map((rewards) => rewards?.[key] ?? 0);
  if (keys.length <= 1) return { [name]: reducers[name](column(keys[0])) };
  return Object.fromEntries(keys.map((key) => [key, reducers[name](column(key))]));
}

// Numbers travel as text, floats as Python writes them: 1e-07, 1e+16, nan.
function spelled(number) {
  if (Number.isInteger(number) && !Object.is(number, -0)) return { int: BigInt(number).toString() };
  if (!Number.isFinite(number)) return { float: Number.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf" };
  if (Object.is(number, -0)) return { float: "-0.0" };
  const [digits, exponent] = number.toExponential().split("e");
  if (exponent >= -4) return { float: String(number) };
  return { float: `${digits}e-${String(-exponent).padStart(2, "0")}` };
}

function encode(value) {
  if (typeof value === "number") return spelled(value);
  if (Array.isArray(value)) return value.map(encode);
  if (value === null || typeof value !== "object") return value;
  return { dict: Object.entries(value).map(([key, item]) => [key, encode(item)]) };
}

function decode(data) {
  if (Array.isArray(data)) return data.map(decode);
  if (data === null || typeof data !== "object") return data;
  if ("int" in data) return Number(data.int);
  if ("float" in data) return Number(data.float.replace("inf", "Infinity"));
  return Object.fromEntries(data.dict.map(([key, item]) => [key, decode(item)]));
}

const surfaces = {
  reward_files: (input) => readRewards(input),
  metric: (input) => metric(input.metric, decode(input.rewards)),
};

function answer({ surface, input }) {
  if (!(surface in surfaces)) return { skipped: `unknown surface ${surface}` };
  try {
    return { value: encode(surfaces[surface](input)) };
  } catch (error) {
    return { error: { type: error.type ?? error.name, message: error.message } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if (request.cmd === "stop") break;
  const implementation = { name: "naive-node", version: "1", language: "javascript" };
  const hello = { version: 1, implementation, surfaces: Object.keys(surfaces) };
  const reply = request.cmd === "start" ? hello : { seq: request.seq, ...answer(request) };
  process.stdout.write(JSON.stringify(reply) + "\n");
}
process.exit(0);
