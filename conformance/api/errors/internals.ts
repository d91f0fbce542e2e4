/** Whether an error shows the inside of the service: parts of stack traces, and paths of files. */
import { isObject } from '../../engine/contract/pointers.ts';
import { toText } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';

const NODE_FRAME = /\bat [\w$.<>]+ \(.*:\d+:\d+\)/;
const PYTHON_TRACEBACK = /Traceback \(most recent call last\)/;
const PYTHON_FRAME = /\bFile "[^"]+", line \d+/;
const JVM_FRAME = /\bat [\w$.]+\([\w$]+\.(java|kt|scala):\d+\)/;
const GOROUTINE = /goroutine \d+ \[/;
const RUST_PANIC = /panicked at /;
const PACKAGE_FOLDER = /\b(node_modules|site-packages)\//;
const UNIX_PATH = /(^|[\s"'(])\/(home|root|usr|var|opt|srv)\/[\w./-]+/;
const WINDOWS_PATH = /\b[A-Z]:\\\\?\w/;

const INTERNALS = [
  NODE_FRAME,
  PYTHON_TRACEBACK,
  PYTHON_FRAME,
  JVM_FRAME,
  GOROUTINE,
  RUST_PANIC,
  PACKAGE_FOLDER,
  UNIX_PATH,
  WINDOWS_PATH,
];
const INTERNAL = new RegExp(INTERNALS.map(({ source }) => source).join('|'));

/** In characters. On a longer text that is made for it, the patterns would take too long. */
const MAX_SEARCHED = 20_000;

/**
 * The first part of a stack trace or path of the service in the response; undefined if there is
 * none.
 */
export function internalIn({ json, text }: HttpResponse): string | undefined {
  // The client sent the path in `instance`: it is not a secret of the service.
  const { instance: _, ...rest } = isObject(json) ? json : { text };
  const words = Object.values(rest).map((value) =>
    typeof value === 'string' ? value : toText(value),
  );
  const searched = words.join('\n').slice(0, MAX_SEARCHED);
  return INTERNAL.exec(searched)?.[0];
}
