import { beforeEach, describe, expect, it } from 'vitest';
import { client, faults, HOST, type Send } from './client.ts';
import { createIndependentService } from './index.ts';

const LIST = '/event_subscriptions/sub_1/sources';

let send: Send;
beforeEach(() => {
  send = client(createIndependentService());
});
const add = (type: unknown, list = LIST) => send('POST', list, { body: { type } });
const patch = (type: string, body?: unknown) => send('PATCH', `${LIST}/${type}`, { body });

/** Follows every page, but not for ever. */
async function types(target = LIST): Promise<string[]> {
  const found: string[] = [];
  for (let next: string | null = target; next !== null && found.length < 100;) {
    const { status, json } = await send('GET', next);
    expect(status).toBe(200);
    found.push(...json.sources.map((source: any) => source.type));
    next = json.uri;
  }
  return found;
}

describe('an event source', () => {
  it('is added, read and removed', async () => {
    const added = await add('a_1.v0');
    expect(added.status).toBe(201);
    expect(added.json).toMatchObject({ type: 'a_1.v0', uri: `http://${HOST}${LIST}/a_1%2Ev0` });
    expect(added.headers).not.toHaveProperty('location');
    expect((await send('GET', added.json.uri)).json).toEqual(added.json);
    const removed = await send('DELETE', `${LIST}/a_1.v0`);
    expect([removed.status, removed.text, removed.headers['content-type']]).toEqual([204, '', undefined]);
    for (const method of ['GET', 'DELETE', 'PATCH']) {
      expect((await send(method, `${LIST}/a_1.v0`)).json.code).toBe('not_found');
    }
    expect((await add('a_1.v0')).status).toBe(201);
  });

  it('is there once', async () => {
    await add('a.v0');
    const again = await add('a.v0');
    expect([again.status, again.json.code]).toEqual([409, 'already_exists']);
    expect((await add('a.v0', '/event_subscriptions/sub_2/sources')).status).toBe(201);
    expect(await types()).toEqual(['a.v0']);
  });

  it.each(['a.v0', 'a.v10', 'a_b_.v9', 'z9.v0', `${'a'.repeat(125)}.v0`])('can be of type %s', async (type) => {
    expect((await add(type)).json.type).toBe(type);
    expect((await send('GET', `${LIST}/${type}`)).status).toBe(200);
  });

  it.each([
    ['', 'too_short'],
    ['a.v', 'too_short'],
    ['A.v0', 'format'],
    ['1a.v0', 'format'],
    ['_a.v0', 'format'],
    ['a-b.v0', 'format'],
    ['a.b.v0', 'format'],
    ['a.v01', 'format'],
    ['a.v-1', 'format'],
    ['a.v0\n', 'format'],
    [' a.v0', 'format'],
    ['é.v0', 'format'],
    ['name', 'format'],
    [`${'a'.repeat(126)}.v0`, 'too_long'],
    [null, 'type'],
    [5, 'type'],
    [['a.v0'], 'type'],
  ])('cannot be of type %j', async (type, code) => {
    await add('first.v0');
    expect(faults(await add(type))).toEqual([`/type ${code}`]);
    expect(faults(await patch('first.v0', { type }))).toEqual([`/type ${code}`]);
    expect(await types()).toEqual(['first.v0']);
  });

  it('needs a type and takes nothing else', async () => {
    expect(faults(await send('POST', LIST, { body: {} }))).toEqual(['/type required']);
    expect(faults(await send('POST', LIST, { body: { type: 'a.v0', uri: 'x' } }))).toEqual(['/uri unknown']);
    await add('a.v0');
    expect(faults(await patch('a.v0', { type: 'b.v0', uri: 'x' }))).toEqual(['/uri unknown']);
    expect(await types()).toEqual(['a.v0']);
  });
});

describe('an update', () => {
  it.each([[undefined], [{}], [{ type: 'a.v0' }]])('with %j changes nothing', async (body) => {
    const { json } = await add('a.v0');
    const answer = await patch('a.v0', body);
    expect([answer.status, answer.json]).toEqual([200, json]);
    expect(await types()).toEqual(['a.v0']);
  });

  it('takes no notice of a Content-Type without a body', async () => {
    await add('a.v0');
    expect((await send('PATCH', `${LIST}/a.v0`, { headers: { 'content-type': 'text/plain' } })).status).toBe(200);
  });

  it('replaces the type', async () => {
    await add('a.v0');
    const moved = await patch('a.v0', { type: 'b.v1' });
    expect([moved.status, moved.json.type, moved.json.uri]).toEqual([200, 'b.v1', `http://${HOST}${LIST}/b%2Ev1`]);
    expect((await send('GET', `${LIST}/a.v0`)).status).toBe(404);
    expect((await send('GET', moved.json.uri)).json).toEqual(moved.json);
  });

  it('runs into 404 and 409', async () => {
    await add('a.v0');
    await add('b.v0');
    expect((await patch('a.v0', { type: 'b.v0' })).json.code).toBe('already_exists');
    expect((await patch('c.v0', { type: 'b.v0' })).json.code).toBe('not_found');
    expect((await patch('c.v0', { type: 'c.v0' })).json.code).toBe('not_found');
    expect(await types()).toEqual(['a.v0', 'b.v0']);
  });
});

async function statuses(answers: Promise<{ status: number }>[]): Promise<number[]> {
  return (await Promise.all(answers)).map(({ status }) => status).sort();
}

describe('racing requests', () => {
  it('add once', async () => {
    expect(await statuses(Array.from({ length: 5 }, () => add('a.v0')))).toEqual([201, 409, 409, 409, 409]);
  });

  it('remove once', async () => {
    await add('a.v0');
    expect(await statuses([1, 2, 3].map(() => send('DELETE', `${LIST}/a.v0`)))).toEqual([204, 404, 404]);
  });

  it('move one source to one place, and two sources not to the same', async () => {
    await add('a.v0');
    const away = ['b.v0', 'c.v0', 'd.v0'].map((type) => patch('a.v0', { type }));
    expect(await statuses(away)).toEqual([200, 404, 404]);
    await add('x.v0');
    await add('y.v0');
    const together = ['x.v0', 'y.v0'].map((current) => patch(current, { type: 'z.v0' }));
    expect(await statuses(together)).toEqual([200, 409]);
    expect(await types()).toHaveLength(3);
  });
});

describe('a list', () => {
  const names = ['a.v0', 'a.v1', 'a.v10', 'a.v2', 'a0.v0', 'a_.v0', 'aa.v0', 'b.v0', 'c.v0', 'd.v0', 'e.v0', 'f.v0'];

  it('is empty for a subscription without sources', async () => {
    expect((await send('GET', '/event_subscriptions/none/sources')).json).toMatchObject({ sources: [], uri: null });
  });

  it.each([1, 2, 3, 6, 7, 11, 12, 100, undefined])('is complete and sorted with limit %s', async (limit) => {
    for (const name of names.toReversed()) await add(name);
    expect(await types(limit === undefined ? LIST : `${LIST}?limit=${limit}`)).toEqual(names);
  });

  it('has no more items on a page than limit, and none after the last', async () => {
    for (const name of names.slice(0, 4)) await add(name);
    const page = async (limit: number) => (await send('GET', `${LIST}?limit=${limit}`)).json;
    expect((await page(3)).sources).toHaveLength(3);
    expect((await page(3)).uri).toMatch(new RegExp(`^http://${HOST}${LIST}\\?cursor=[\\w-]+&limit=3$`));
    expect(await page(4)).toMatchObject({ sources: { length: 4 }, uri: null });
  });

  it('stays in step while sources come and go', async () => {
    for (const name of ['b.v0', 'd.v0', 'f.v0', 'h.v0']) await add(name);
    const first = (await send('GET', `${LIST}?limit=2`)).json;
    await send('DELETE', `${LIST}/b.v0`);
    await send('DELETE', `${LIST}/d.v0`);
    await add('a.v0');
    await add('e.v0');
    expect(await types(first.uri)).toEqual(['e.v0', 'f.v0', 'h.v0']);
  });

  it.each([
    ['limit=0', ['?limit too_small']],
    ['limit=-1', ['?limit too_small']],
    ['limit=101', ['?limit too_large']],
    ['limit=99999999999999999999', ['?limit too_large']],
    ['limit=', ['?limit type']],
    ['limit', ['?limit type']],
    ['limit=abc', ['?limit type']],
    ['limit=1.5', ['?limit type']],
    ['limit=5.0', ['?limit type']],
    ['limit=1e1', ['?limit type']],
    ['limit=0x10', ['?limit type']],
    ['limit=%205', ['?limit type']],
    ['limit=+5', ['?limit type']],
    ['limit=%D9%A5', ['?limit type']],
    ['limit=5&limit=5', ['?limit repeated']],
    ['limit=0&cursor=foreign', ['?cursor value', '?limit too_small']],
    ['cursor=', ['?cursor too_short']],
    ['cursor=LONG', ['?cursor too_long']],
    ['cursor=a&cursor=b&Limit=1', ['?Limit unknown', '?cursor repeated']],
  ])('refuses ?%s', async (query, expected) => {
    const answer = await send('GET', `${LIST}?${query.replace('LONG', 'c'.repeat(513))}`);
    expect([answer.status, answer.json.code]).toEqual([400, 'invalid_request']);
    expect(faults(answer)).toEqual(expected);
  });

  it('does not take the cursor of another list or service', async () => {
    await add('a.v0');
    await add('b.v0');
    const next = new URL((await send('GET', `${LIST}?limit=1`)).json.uri);
    const cursor = next.searchParams.get('cursor');
    expect((await send('GET', `${LIST}?cursor=${cursor}`)).json.sources).toHaveLength(1);
    for (const ask of [
      () => send('GET', `/event_subscriptions/other/sources?cursor=${cursor}`),
      () => send('GET', `${LIST}?cursor=${cursor}A`),
      () => client(createIndependentService())('GET', `${LIST}?cursor=${cursor}`),
    ]) {
      expect(faults(await ask())).toEqual(['?cursor value']);
    }
  });
});
