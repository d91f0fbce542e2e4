/** All options of the command line, as a table, and the help that follows from it. */

export const FORMATS = ['text', 'json', 'junit', 'markdown', 'html', 'sarif', 'har'] as const;

export type Format = (typeof FORMATS)[number];

interface Option {
  /** A switch is a boolean. */
  type: 'string' | 'boolean';
  /** Whether it is repeatable; by default it is not. */
  multiple?: true;
  /** The name of its value in the help; a switch has none. */
  value?: string;
  /** One line. */
  help: string;
}

export const OPTIONS = {
  contract: {
    type: 'string',
    value: 'FILE',
    help: 'test against this contract: a path or URL, OpenAPI 3.0 to 3.2 (default: built in)',
  },
  references: {
    type: 'string',
    multiple: true,
    value: 'PLACE',
    help: 'follow references of --contract also below this folder or URL',
  },
  level: {
    type: 'string',
    value: 'core|extended',
    help: 'check by this level (default: what the service offers; for another contract extended)',
  },
  origin: {
    type: 'string',
    value: 'source|all',
    help: 'check by the source document alone, or also by the decisions (default all)',
  },
  token: {
    type: 'string',
    value: 'TOKEN',
    help: 'bearer token, API key or USER:PASSWORD; better as CONFORMANCE_TOKEN',
  },
  auth: {
    type: 'string',
    multiple: true,
    value: 'NAME=VALUE',
    help: 'credentials for one security scheme; VALUE as for --token, or env:VARIABLE',
  },
  'read-only-token': {
    type: 'string',
    value: 'TOKEN',
    help: 'a second token, which permits no change; better as CONFORMANCE_READ_ONLY_TOKEN',
  },
  'other-token': {
    type: 'string',
    value: 'TOKEN',
    help: 'of a second user, who must not reach what is made; better as CONFORMANCE_OTHER_TOKEN',
  },
  header: {
    type: 'string',
    multiple: true,
    value: 'NAME:VALUE',
    help: 'send this header with every request',
  },
  'subscription-id': {
    type: 'string',
    multiple: true,
    value: 'ID',
    help: 'use this existing subscription, if the service does not accept any id',
  },
  'event-type': {
    type: 'string',
    multiple: true,
    value: 'TYPE',
    help: 'use these event types, if the service knows only some',
  },
  'hostport-domain': {
    type: 'string',
    value: 'DOMAIN',
    help: 'use hostports in this domain',
  },
  'certificate-authority-id': {
    type: 'string',
    multiple: true,
    value: 'ID',
    help: 'use these certificate authorities, if the service does not accept any id',
  },
  cert: {
    type: 'string',
    value: 'FILE',
    help: 'show this certificate to the service, in PEM; --key has its key',
  },
  key: {
    type: 'string',
    value: 'FILE',
    help: 'the private key of --cert, in PEM',
  },
  ca: {
    type: 'string',
    value: 'FILE',
    help: 'trust these authorities for https, in PEM, and no others',
  },
  proxy: {
    type: 'string',
    value: 'URL',
    help: 'connect by this proxy; credentials in the URL better as CONFORMANCE_PROXY',
  },
  'server-variable': {
    type: 'string',
    multiple: true,
    value: 'NAME=VALUE',
    help: 'the value of a variable in the URL of the server of --contract',
  },
  data: {
    type: 'string',
    value: 'MAP|FILE',
    help: 'what the service has: {parameters: {NAME: value}, bodies: {OPERATION: value}}',
  },
  hooks: {
    type: 'string',
    value: 'FILE',
    help: 'a module with checks and laws of your own (README, "Your own checks")',
  },
  'min-tried': {
    type: 'string',
    value: 'SHARE',
    help: 'the share of the chosen operations that must succeed for a verdict, 0 to 1 (default 1)',
  },
  seed: {
    type: 'string',
    value: 'N',
    help: 'generate the same cases again (default: random, and printed)',
  },
  runs: {
    type: 'string',
    value: 'N',
    help: 'cases per requirement (default 20); a clause has a quarter of them or less',
  },
  only: {
    type: 'string',
    multiple: true,
    value: 'ID',
    help: 'try only requirements whose id begins like this; one with * is whole: *.body.type',
  },
  path: {
    type: 'string',
    multiple: true,
    value: 'GLOB',
    help: 'try only operations at such a path: /users/**; * stands for text without a slash',
  },
  method: {
    type: 'string',
    multiple: true,
    value: 'NAME',
    help: 'try only operations with this method',
  },
  tag: {
    type: 'string',
    multiple: true,
    value: 'GLOB',
    help: 'try only operations with such a tag',
  },
  skip: {
    type: 'string',
    multiple: true,
    value: 'ID=REASON',
    help: 'do not try these, chosen as by --only, for this reason; the report says so',
  },
  kind: {
    type: 'string',
    multiple: true,
    value: 'KIND',
    help: 'count only findings of this kind: server-error, accepts-invalid, … (README)',
  },
  allow: {
    type: 'string',
    multiple: true,
    value: 'OPERATION',
    help: 'try an operation that is left out because it may do harm; * stands for any text',
  },
  survey: {
    type: 'boolean',
    help: 'ask the service how each operation is reached, print it, and check nothing',
  },
  list: {
    type: 'boolean',
    help: 'list every requirement and send nothing',
  },
  verbose: {
    type: 'boolean',
    help: 'name every requirement, also those that pass',
  },
  bail: {
    type: 'boolean',
    help: 'stop at the first failure',
  },
  jobs: {
    type: 'string',
    value: 'N',
    help: 'threads that try requirements in parallel, if cores are idle (default 1)',
  },
  concurrency: {
    type: 'string',
    value: 'N',
    help: 'requirements that each thread tries at the same time (default 8)',
  },
  wait: {
    type: 'string',
    value: 'SECONDS',
    help: 'wait so long for the service to respond, also after a stop (default 0)',
  },
  restart: {
    type: 'string',
    value: 'COMMAND',
    help: 'start a service that has stopped by this shell command, and go on',
  },
  'max-time': {
    type: 'string',
    value: 'SECONDS',
    help: 'end the run after so long, and report what is known by then (default: no limit)',
  },
  'timeout-ms': {
    type: 'string',
    value: 'N',
    help: 'how long a response may take (default 10000)',
  },
  rate: {
    type: 'string',
    value: 'N',
    help: 'at most so many requests a second (default: no limit)',
  },
  report: {
    type: 'string',
    value: 'DIR',
    help: 'write report.json, junit.xml, report.html, report.md, report.sarif, failures.har there',
  },
  format: {
    type: 'string',
    value: FORMATS.join('|'),
    help: 'what goes to stdout (default text)',
  },
  explain: {
    type: 'string',
    value: 'ID',
    help: 'print one finding of the report in --report DIR, ready for an issue; send nothing',
  },
  replay: {
    type: 'string',
    value: 'CASE',
    help: 'run one failed case again, by the name that the failure gives',
  },
  'known-failures': {
    type: 'string',
    value: 'FILE',
    help: 'excuse these failures until they expire: [{"id","reason","expires"}]',
  },
  config: {
    type: 'string',
    value: 'FILE',
    help: 'read options from this JSON or YAML file (default: conformance.yaml, if there is one)',
  },
  help: {
    type: 'boolean',
    help: 'print this',
  },
  version: {
    type: 'boolean',
    help: 'print the versions of the suite and of the contract',
  },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof OPTIONS;

type ValueOf<O extends Option> = O extends { type: 'boolean' }
  ? boolean
  : O extends { multiple: true }
    ? string[]
    : string;

/** Options as they are written: switches, texts, and lists of texts for what is repeatable. */
export type RawOptions = {
  [Name in OptionName]?: ValueOf<(typeof OPTIONS)[Name]> | undefined;
};

/** The column of the help at which descriptions begin. */
const DESCRIPTION_COLUMN = 32;

/** The width of a terminal. */
const WIDTH = 100;

export const HELP = `edge-conformance: tests an HTTP API against its OpenAPI contract
(--contract), by default that of the HTTPS Edge and Event Source Configuration API

Usage: edge-conformance URL [options]

${Object.entries<Option>(OPTIONS).map(helpLines).join('\n')}

Exit codes: 0 conformant, 1 not conformant, 2 no verdict.

Examples:

  edge-conformance http://127.0.0.1:8080                             a server of this contract
  edge-conformance http://127.0.0.1:8080 --contract openapi.yaml     any other service
  edge-conformance http://127.0.0.1:8080 --only createEdge --bail    until the first failure
  edge-conformance http://127.0.0.1:8080 --report reports            with reports as files

  CONFORMANCE_TOKEN=write-6f0c9f3c8d1b edge-conformance https://api.example.com
`;

function helpLines([name, { value, multiple, help }]: [string, Option]): string {
  const option = value === undefined ? `  --${name}` : `  --${name} ${value}`;
  const description = multiple ? `${help} (repeatable)` : help;
  const lines = wrapped(description, WIDTH - DESCRIPTION_COLUMN);
  const indent = ' '.repeat(DESCRIPTION_COLUMN);
  const text = lines.join(`\n${indent}`);
  if (option.length < DESCRIPTION_COLUMN) {
    return option.padEnd(DESCRIPTION_COLUMN) + text;
  }
  return `${option}\n${indent}${text}`;
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}
