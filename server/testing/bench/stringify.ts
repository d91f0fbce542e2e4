/** Node alone: makes the text of a value for each request, and sends it. Its argument is a file with a JSON value by path. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const values = JSON.parse(readFileSync(process.argv.at(-1)!, 'utf8')) as Record<string, object>;
const server = createServer((req, res) => {
  const text = JSON.stringify(values[req.url!]);
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(text)).end(text);
}).listen(0, '127.0.0.1', () => {
  // In the form of the reference server, so that both are started in the same way.
  process.stderr.write(`API   http://127.0.0.1:${(server.address() as AddressInfo).port}\n\n\n`);
});
process.once('SIGTERM', () => process.exit(0));
