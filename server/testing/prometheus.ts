/** A parser of the text format of Prometheus, as strict as the server that scrapes. */

export interface Family {
  type: string;
  help: string;
  /** By name and labels as they are written. */
  samples: Map<string, number>;
}

const NAME = '[a-z_][a-z0-9_]*';
const LABEL = String.raw`${NAME}="[^"\\\n]*"`;
const COMMENT = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`);
const LABELS = String.raw`\{${LABEL}(?:,${LABEL})*\}`;
const SAMPLE = new RegExp(String.raw`^((${NAME})(?:${LABELS})?) (\S+)$`);
const PARTS_OF_HISTOGRAM = /_(?:bucket|sum|count)$/;
const TYPES: readonly string[] = ['counter', 'gauge', 'histogram'];

/**
 * @returns the families by name
 * @throws Error for a line that is not of the format, a sample without HELP and TYPE, and a name or
 * a sample that occurs twice
 */
export function parseMetrics(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) {
    throw new Error('the last line has no end');
  }
  const families = new Map<string, Family>();
  for (const line of text.split('\n').filter((one) => one !== '')) {
    if (line.startsWith('#')) {
      addComment(families, line);
    } else {
      addSample(families, line);
    }
  }
  return families;
}

function addComment(families: Map<string, Family>, line: string): void {
  const [, kind, name, value] = COMMENT.exec(line) ?? [];
  if (name === undefined || value === undefined) {
    throw new Error(`not a line of the format: ${line}`);
  }
  if (kind === 'TYPE') {
    familyOf(families, name).type = value;
    return;
  }
  if (families.has(name)) {
    throw new Error(`${name} occurs twice`);
  }
  families.set(name, { type: '', help: value, samples: new Map() });
}

function addSample(families: Map<string, Family>, line: string): void {
  const [, key, name, number] = SAMPLE.exec(line) ?? [];
  if (key === undefined || name === undefined) {
    throw new Error(`not a line of the format: ${line}`);
  }
  const { samples, type } = familyOf(families, name);
  if (!TYPES.includes(type)) {
    throw new Error(`${name} has the type ${JSON.stringify(type)}`);
  }
  if (samples.has(key)) {
    throw new Error(`${key} occurs twice`);
  }
  samples.set(key, Number(number));
}

function familyOf(families: Map<string, Family>, name: string): Family {
  const found = families.get(name) ?? families.get(name.replace(PARTS_OF_HISTOGRAM, ''));
  if (found === undefined) {
    throw new Error(`${name} has no type`);
  }
  return found;
}

/** @param labels as they are written, such as `{operation="getEdge"}` */
export function valueOf(
  families: Map<string, Family>,
  name: string,
  labels = '',
): number | undefined {
  return families.get(name)?.samples.get(name + labels);
}
