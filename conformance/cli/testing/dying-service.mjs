/**
 * A small service that stops at one request: a POST to `/items` whose `name` has ten characters.
 * Arguments: its port, the way in which it stops, and a file for its process id.
 */
// @ts-check
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [port = '', way = '', pidFile = ''] = process.argv.slice(2);
/** @type {Map<string, object>} */
const items = new Map();
let last = 0;
let isDead = false;

/** @type {Record<string, () => void>} */
const WAYS = {
  exits: () => process.exit(1),
  throws: () => setTimeout(() => throwError()),
  hangs: () => spin(),
  'closes all': () => {
    isDead = true;
  },
  'is killed': () => process.kill(process.pid, 'SIGKILL'),
};

function throwError() {
  throw new Error('x');
}

function spin() {
  for (;;) {
    // Nothing else runs any more.
  }
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {unknown} [value]
 */
function send(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(value === undefined ? '' : JSON.stringify(value));
}

/**
 * @param {string} text
 * @param {import('node:http').ServerResponse} response
 */
function create(text, response) {
  const { name } = parsed(text);
  if (typeof name !== 'string' || name.length > 10) {
    send(response, 400, {});
    return;
  }
  if (name.length === 10) {
    WAYS[way]?.();
  }
  const id = ++last;
  items.set(String(id), { id, name });
  send(response, 201, { id, name });
}

/**
 * @param {string} text
 * @returns {{ name?: unknown }}
 */
function parsed(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {string} text
 * @param {import('node:http').ServerResponse} response
 */
function handle(request, text, response) {
  const [, kind, id] = (request.url ?? '').split('/');
  if (isDead) {
    request.socket.destroy();
  } else if (kind !== 'items') {
    send(response, 404, {});
  } else if (id === undefined && request.method === 'POST') {
    create(text, response);
  } else if (id === undefined) {
    send(response, 200, [...items.values()]);
  } else if (!items.has(id)) {
    send(response, 404, {});
  } else if (request.method === 'DELETE') {
    items.delete(id);
    send(response, 204);
  } else {
    send(response, 200, items.get(id));
  }
}

const server = createServer((request, response) => {
  let text = '';
  request.on('data', (data) => {
    text += data;
  });
  request.on('end', () => handle(request, text, response));
});
const listen = () => server.listen(Number(port), '127.0.0.1');
server.on('listening', () => writeFileSync(pidFile, String(process.pid)));
// The process that was killed before this one was started may hold the port a little longer.
server.on('error', () => setTimeout(listen, 50));
listen();
