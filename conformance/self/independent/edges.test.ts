import { beforeEach, describe, expect, it } from 'vitest';
import { client, faults, HOST, type Send } from './client.ts';
import { createIndependentService } from './index.ts';

let send: Send;
beforeEach(() => {
  send = client(createIndependentService());
});
const create = (body: unknown) => send('POST', '/edges/https', { body });

describe('an edge', () => {
  it('is whole when nothing was said', async () => {
    const { status, json } = await create({});
    expect(status).toBe(201);
    expect(json).toMatchObject({
      uri: `http://${HOST}/edges/https/${json.id}`,
      description: '',
      metadata: '',
      hostports: [],
      mutual_tls: null,
      tls_termination: null,
      routes: [],
    });
    expect(json.id).toMatch(/^[\w-]{1,64}$/);
    expect(json.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    expect(Math.abs(Date.now() - Date.parse(json.created_at))).toBeLessThan(5000);
  });

  it('reads back as sent', async () => {
    const created = await create({
      description: 'é\u0000"\\😀\u2028',
      metadata: '{"team":"web"}',
      hostports: ['*.Shop.example.com:443', 'a:1'],
      mutual_tls: { enabled: false, certificate_authority_ids: ['ca_b', 'ca_a', 'ca_b'] },
      tls_termination: { enabled: false, terminate_at: 'edge', min_version: '1.3' },
    });
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({
      description: 'é\u0000"\\😀\u2028',
      metadata: '{"team":"web"}',
      hostports: ['*.Shop.example.com:443', 'a:1'],
      mutual_tls: { enabled: false },
      tls_termination: { enabled: false, terminate_at: 'edge', min_version: '1.3' },
    });
    const authorities = created.json.mutual_tls.certificate_authorities;
    expect(authorities.map((ref: any) => ref.id)).toEqual(['ca_b', 'ca_a', 'ca_b']);
    for (const { uri } of authorities) expect(uri).toMatch(/^https:\/\//);
    expect((await send('GET', `/edges/https/${created.json.id}`)).json).toEqual(created.json);
  });

  it.each([
    [{}, { enabled: true, terminate_at: 'edge', min_version: '1.2' }],
    [{ min_version: null }, { enabled: true, terminate_at: 'edge', min_version: '1.2' }],
    [{ terminate_at: 'upstream' }, { enabled: true, terminate_at: 'upstream', min_version: null }],
    [
      { terminate_at: 'upstream', min_version: null },
      { enabled: true, terminate_at: 'upstream', min_version: null },
    ],
  ])('fills in TLS termination %j', async (tls_termination, expected) => {
    expect((await create({ tls_termination, mutual_tls: null })).json.tls_termination).toMatchObject(expected);
  });

  it('fills in mutual TLS', async () => {
    const { json } = await create({ mutual_tls: {} });
    expect(json.mutual_tls).toEqual({ enabled: true, certificate_authorities: [] });
  });

  it('is another one each time', async () => {
    const created = await Promise.all(Array.from({ length: 200 }, () => create({})));
    expect(new Set(created.map(({ json }) => json.id)).size).toBe(200);
    expect(new Set(created.map(({ json }) => json.id.length)).size).toBeGreaterThan(1);
  });

  it('is known to its own service alone', async () => {
    const { json } = await create({});
    expect((await client(createIndependentService())('GET', `/edges/https/${json.id}`)).status).toBe(404);
  });
});

describe('limits are bytes of UTF-8', () => {
  it.each([
    ['description', 'a', 255],
    ['description', 'é', 127],
    ['description', '€', 85],
    ['description', '😀', 63],
    ['metadata', 'a', 4096],
    ['metadata', '€', 1365],
    ['metadata', '😀', 1024],
  ])('%s holds as many %s as %i', async (name, character, most) => {
    const fits = await create({ [name]: character.repeat(most) });
    expect([fits.status, fits.json[name]]).toEqual([201, character.repeat(most)]);
    expect(faults(await create({ [name]: character.repeat(most + 1) }))).toEqual([`/${name} too_many_bytes`]);
  });
});

const label = 'a'.repeat(63);
const longest = `*.${label}.${label}.${label}.${'a'.repeat(59)}:65535`;

describe('hostports', () => {
  it.each(['a:1', '1.2.3.4:80', 'a-b.C:65535', '*.a:9', '*.example.com:443', 'xn--bcher-kva.example:59999', longest])(
    'can be %s',
    async (hostport) => {
      expect((await create({ hostports: [hostport] })).json.hostports).toEqual([hostport]);
    },
  );

  it.each([
    ['', 'too_short'],
    ['a:', 'too_short'],
    ['abc', 'format'],
    ['a:0', 'format'],
    ['a:080', 'format'],
    ['a:65536', 'format'],
    ['a:100000', 'format'],
    ['a:+80', 'format'],
    ['a:80:80', 'format'],
    ['a:80\n', 'format'],
    [' a:80', 'format'],
    [':443', 'format'],
    ['*:443', 'format'],
    ['*a:443', 'format'],
    ['*.:443', 'format'],
    ['*.*.a:443', 'format'],
    ['a.*.b:443', 'format'],
    ['a..b:443', 'format'],
    ['a.:443', 'format'],
    ['-a:443', 'format'],
    ['a-:443', 'format'],
    ['a_b:443', 'format'],
    ['bücher:443', 'format'],
    ['[::1]:443', 'format'],
    [`${label}a:443`, 'format'],
    [longest.replace('*', '*.a'), 'too_long'],
    [`${'a'.repeat(262)}`, 'format', 'too_long'],
  ])('cannot be %j', async (hostport, ...codes) => {
    const expected = codes.map((code) => `/hostports/1 ${code}`);
    expect(faults(await create({ hostports: ['ok:1', hostport] }))).toEqual(expected);
  });

  it('may be a hundred, without repeats', async () => {
    const hostports = Array.from({ length: 101 }, (_, index) => `h${index}:443`);
    expect((await create({ hostports: hostports.slice(1) })).status).toBe(201);
    expect(faults(await create({ hostports }))).toEqual(['/hostports too_many']);
    expect(faults(await create({ hostports: ['a:1', 'b:1', 'a:1'] }))).toEqual(['/hostports/2 duplicate']);
    expect((await create({ hostports: ['a:1', 'A:1'] })).status).toBe(201);
  });
});

it('takes a hundred certificate authorities and no more', async () => {
  const ids = Array.from({ length: 101 }, () => 'ca');
  expect((await create({ mutual_tls: { certificate_authority_ids: ids.slice(1) } })).status).toBe(201);
  const refused = await create({ mutual_tls: { certificate_authority_ids: ids } });
  expect(faults(refused)).toEqual(['/mutual_tls/certificate_authority_ids too_many']);
});

describe('faults', () => {
  it.each([
    [{ description: null }, ['/description type']],
    [{ description: 5 }, ['/description type']],
    [{ metadata: {} }, ['/metadata type']],
    [{ hostports: null }, ['/hostports type']],
    [{ hostports: 'a:1' }, ['/hostports type']],
    [{ hostports: { 0: 'a:1' } }, ['/hostports type']],
    [{ hostports: [1, null] }, ['/hostports/0 type', '/hostports/1 type']],
    [{ mutual_tls: [] }, ['/mutual_tls type']],
    [{ mutual_tls: true }, ['/mutual_tls type']],
    [{ mutual_tls: { enabled: 'true' } }, ['/mutual_tls/enabled type']],
    [{ mutual_tls: { enabled: null } }, ['/mutual_tls/enabled type']],
    [{ mutual_tls: { enabled: 1 } }, ['/mutual_tls/enabled type']],
    [{ mutual_tls: { certificate_authority_ids: null } }, ['/mutual_tls/certificate_authority_ids type']],
    [{ mutual_tls: { certificate_authority_ids: [''] } }, ['/mutual_tls/certificate_authority_ids/0 too_short']],
    [{ mutual_tls: { certificate_authority_ids: ['a b'] } }, ['/mutual_tls/certificate_authority_ids/0 format']],
    [
      { mutual_tls: { certificate_authority_ids: [`${'€'.repeat(65)}`] } },
      ['/mutual_tls/certificate_authority_ids/0 format', '/mutual_tls/certificate_authority_ids/0 too_long'],
    ],
    [{ mutual_tls: { certificate_authorities: [] } }, ['/mutual_tls/certificate_authorities unknown']],
    [{ tls_termination: 'edge' }, ['/tls_termination type']],
    [{ tls_termination: { terminate_at: 'Edge' } }, ['/tls_termination/terminate_at value']],
    [{ tls_termination: { terminate_at: null } }, ['/tls_termination/terminate_at type']],
    [{ tls_termination: { min_version: '1.1' } }, ['/tls_termination/min_version value']],
    [{ tls_termination: { min_version: 1.2 } }, ['/tls_termination/min_version type']],
    [
      { tls_termination: { enabled: 0, cipher: 1 } },
      ['/tls_termination/cipher unknown', '/tls_termination/enabled type'],
    ],
    [
      { tls_termination: { terminate_at: 'upstream', min_version: '1.2' } },
      ['/tls_termination/min_version not_allowed_here'],
    ],
    [{ tls_termination: { terminate_at: 'upstream' }, mutual_tls: {} }, ['/mutual_tls not_allowed_here']],
    [
      { tls_termination: { terminate_at: 'upstream' }, mutual_tls: { enabled: false, x: 1 } },
      ['/mutual_tls not_allowed_here', '/mutual_tls/x unknown'],
    ],
    [{ id: 'mine', routes: [], Description: '' }, ['/Description unknown', '/id unknown', '/routes unknown']],
    [
      {
        description: 'é'.repeat(128),
        metadata: 7,
        hostports: ['nowhere', 'a:1', 'a:1'],
        tls_termination: { terminate_at: 'middle' },
        colour: 'red',
      },
      [
        '/colour unknown',
        '/description too_many_bytes',
        '/hostports/0 format',
        '/hostports/2 duplicate',
        '/metadata type',
        '/tls_termination/terminate_at value',
      ],
    ],
  ])('are all named: %j', async (body, expected) => {
    const answer = await create(body);
    expect([answer.status, answer.json.code]).toEqual([400, 'invalid_request']);
    expect(faults(answer)).toEqual(expected);
  });
});
