/** The service is independent of the suite, and other than most. Tests of the command show its options. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createIndependentService } from './index.ts';

it('imports itself, Node, parsers of XML and of expressions, the types of a service and the table of modules', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => !name.endsWith('.test.ts'));
  const imported = files.flatMap((name) =>
    [...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/\bfrom '([^']+)'/g)].map(([, path]) => path!),
  );
  expect(imported).toContain('./http.ts');
  const allowed = /^(\.\/[\w-]+\.ts|\.\.\/service\.ts|\.\.\/\.\.\/api\/modules\.ts|node:\w+|re2js|saxes)$/;
  expect(imported.filter((path) => !allowed.test(path))).toEqual([]);
});

it('decides otherwise than most where the contract leaves a choice', async () => {
  const service = createIndependentService();
  const send = async (method: string, target: string, sent: unknown, accept = '*/*') => {
    const headers = { host: 'localhost', 'content-type': 'application/json', accept };
    const response = await service({ method, target, headers, body: Buffer.from(JSON.stringify(sent) ?? '') });
    return { ...response, text: response.body.toString(), json: JSON.parse(response.body.toString()) };
  };
  const sent = { description: 'é😀\u007f', mutual_tls: { certificate_authority_ids: ['ca'] } };
  const created = await send('POST', '/edges/https', sent);
  expect(created.text).toMatch(/^\{\n "routes": .*"\\u00e9\\ud83d\\ude00\\u007f".*\n\}\n$/s);
  expect(created.headers).not.toHaveProperty('location');
  expect(created.json.created_at).toMatch(/\+00:00$/);
  expect(created.json.mutual_tls.certificate_authorities[0].uri).not.toContain('localhost');
  const sources = '/event_subscriptions/sub/sources';
  for (let index = 0; index < 10; index += 1) await send('POST', sources, { type: `t.v${index}` });
  expect((await send('GET', `${sources}?limit=100`, undefined)).json.sources).toHaveLength(7);
  expect((await send('PATCH', `${sources}/unknown.v0?colour=red`, '', 'text/html')).status).toBe(404);
});
