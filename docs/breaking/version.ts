/** Whether a new version may break what the old one promised. */

/**
 * With another major version it may (decision D33). Below 1.0.0 the minor version takes its place, as package managers read it.
 * @throws Error where a text is no `MAJOR.MINOR.PATCH`, or the version goes backwards
 */
export function mayBreak(before: string, after: string): boolean {
  const [old, current] = [parts(before), parts(after)];
  const order = old.map((part, index) => current[index]! - part).find((difference) => difference !== 0) ?? 0;
  if (order < 0) throw new Error(`info.version went back from ${before} to ${after}`);
  return current[0] > old[0] || (current[0] === 0 && current[1] > old[1]);
}

function parts(version: string): [number, number, number] {
  const found = /^(\d+)\.(\d+)\.(\d+)$/.exec(version);
  if (!found) throw new Error(`info.version ${JSON.stringify(version)} is not MAJOR.MINOR.PATCH`);
  return [Number(found[1]), Number(found[2]), Number(found[3])];
}
