/**
 * Runs the suite in this process against a service and a contract that a stranger might have
 * written.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { main } from '../../cli/command.ts';
import type { Report } from '../../engine/run/result.ts';
import { listening } from '../service.ts';

/** A request as a handler sees it. */
export interface Call {
  method: string;
  /** The path, percent-encoded as it came. */
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  /** The body as it came. */
  text: string;
  /** The body as JSON; undefined if it is not JSON. */
  json: any;
}

/** The status, the body (a text is sent as it is, other values as JSON), and header fields. */
export type Reply = readonly [
  status: number,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
];

export type Handler = (call: Call, response: ServerResponse) => Reply | undefined;

export interface Results {
  code: number;
  report: Report;
  /** The ids of what failed, was flaky or ended in an error. */
  broken: string[];
  passed: string[];
}

export interface Outcome extends Results {
  /** Method and target of each request. */
  requests: string[];
}

/** One run of a few cases with seed 1. @param contract YAML @param options of the command */
export async function runOn(
  handler: Handler,
  contract: string,
  options: readonly string[] = [],
): Promise<Outcome> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    void handle(handler, request, response);
  });
  const results = await runAgainst(server, contract, ['--runs', '4', ...options]);
  return { ...results, requests };
}

/** One run with seed 1 against a server, which is closed behind it. @param contract YAML or JSON */
export async function runAgainst(
  server: Server,
  contract: string,
  options: readonly string[],
): Promise<Results> {
  const folder = mkdtempSync(join(tmpdir(), 'strangers-'));
  const { url, close } = await listening(server);
  try {
    writeFileSync(join(folder, 'contract.yaml'), contract);
    const own = ['--contract', 'contract.yaml', '--seed', '1', '--report', '.'];
    const nowhere = { write: () => true };
    const code = await main([url, ...own, ...options], {
      stdout: nowhere,
      stderr: nowhere,
      env: {},
      cwd: folder,
      signal: new AbortController().signal,
      startedAt: Date.now(),
    });
    const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report;
    const idsOf = (...statuses: string[]) =>
      report.requirements.filter(({ status }) => statuses.includes(status)).map(({ id }) => id);
    const broken = idsOf('fail', 'flaky', 'error');
    return { code, report, broken, passed: idsOf('pass') };
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function handle(
  handler: Handler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url = '', headers } = request;
  const { pathname: path, searchParams: query } = new URL(url, 'http://service');
  const text = (await buffer(request)).toString();
  const reply = handler({ method, path, query, headers, text, json: parsed(text) }, response);
  if (!reply) {
    return;
  }
  const [status, body, more = {}] = reply;
  const isText = typeof body === 'string' || body === undefined;
  const type = isText ? {} : { 'content-type': 'application/json' };
  response.writeHead(status, { ...type, ...more });
  response.end(isText ? body : JSON.stringify(body));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
