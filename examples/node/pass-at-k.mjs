// pass@k in JavaScript: an implementation of one surface, for pack-runner.mjs to run.

export const surfaces = ["pass_at_k"];

export function run(surface, { trials }) {
  if (surface !== "pass_at_k") throw new Error(`this answers pass_at_k alone, not ${surface}`);
  return { value: passAtK(trials) };
}

/** For each group of trials: the chance that at least one of k attempts at a task succeeds, averaged over tasks. */
function passAtK(trials) {
  const groups = new Map();
  for (const trial of trials) {
    const key = [trial.agent, ...(trial.model ? [trial.model] : []), trial.source || "adhoc"].join("__");
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(trial);
  }
  const estimates = Array.from(groups, ([key, group]) => [key, estimatesOf(group)]);
  return new Map(estimates.filter(([, estimate]) => estimate.size));
}

function estimatesOf(group) {
  const tasks = new Map(); // trials and successes of each task
  for (const trial of group) {
    const success = successOf(trial);
    if (success === null) return new Map(); // one reward that is not binary ends pass@k for the whole group
    const counts = tasks.get(trial.task) ?? [0, 0];
    tasks.set(trial.task, [counts[0] + 1, counts[1] + success]);
  }
  const fewest = Math.min(...Array.from(tasks.values(), ([attempts]) => attempts));
  const column = (k) => Array.from(tasks.values(), ([attempts, successes]) => estimate(attempts, successes, k));
  return new Map(ksUpTo(fewest).map((k) => [BigInt(k), mean(column(k))]));
}

function successOf({ verified, rewards }) {
  if (!verified || rewards === null) return 0;
  if (rewards.size !== 1) return null;
  const [reward] = rewards.values();
  return reward == 0 || reward == 1 ? Number(reward) : null; // an int is a BigInt: 1n == 1.0
}

/** 2, 4, 8, … and 5, 10, 15, … */
function ksUpTo(most) {
  const ks = new Set();
  for (let k = 2; k <= most; k *= 2) ks.add(k);
  for (let k = 5; k <= most; k += 5) ks.add(k);
  return [...ks].sort((a, b) => a - b);
}

/** One factor after the other: the closed form rounds differently. */
function estimate(attempts, successes, k) {
  const failures = attempts - successes;
  if (failures < k) return 1;
  let allFail = 1;
  for (let drawn = 0; drawn < k; drawn++) allFail *= (failures - drawn) / (attempts - drawn);
  return 1 - allFail;
}

/** Python's sum() carries along what rounding loses, and plain addition does not. */
function mean(numbers) {
  let total = 0;
  let lost = 0;
  for (const number of numbers) {
    const next = total + number;
    lost += Math.abs(total) >= Math.abs(number) ? total - next + number : number - next + total;
    total = next;
  }
  return (total + lost) / numbers.length;
}
