/** Changes of an edge that do something else than what was sent. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import { jsonOf, problem, showing } from '../mutate/response.ts';
import { afterChange, changingEdge, edgeOf, edgePath, idsOf, routePath, sentEdge } from '../mutate/edges.ts';
import { after, done, instead, type Mutate, remembering, showingAs, taking } from '../mutate/mutate.ts';
import { refusedInPart } from '../mutate/refused-in-part.ts';
import { ask, isObject, type Json, jsonIn, sending } from '../mutate/request.ts';
import { unique, without, withoutEmpty } from '../mutate/values.ts';

const mutant = mutantsOf('edge-updates');

const PROPERTIES = ['description', 'metadata', 'hostports', 'mutual_tls', 'tls_termination'] as const;

/** What is sent, changed before it is taken. */
const sent = (change: (patch: Json) => Json): Mutate =>
  taking('updateEdge', (patch) => (isObject(patch) ? change(patch) : patch));

const sentText = (change: (text: string) => string): Mutate =>
  sent((patch) =>
    typeof patch['description'] === 'string' ? { ...patch, description: change(patch['description']) } : patch,
  );

const sentList = (change: (hostports: string[]) => string[]): Mutate =>
  sent((patch) => (Array.isArray(patch['hostports']) ? { ...patch, hostports: change(patch['hostports']) } : patch));

const sentModule = (name: 'mutual_tls' | 'tls_termination', change: (module: Json) => unknown): Mutate =>
  sent((patch) => (isObject(patch[name]) ? { ...patch, [name]: change(patch[name]) } : patch));

/** The answer shows the change, but some of it is not stored. */
const notStored = (...names: readonly string[]): Mutate =>
  afterChange((next, request, before, patch) => {
    const old = Object.entries(sentEdge(before)).filter(([name]) => names.includes(name) && Object.hasOwn(patch, name));
    return old.length === 0
      ? Promise.resolve()
      : ask(next, request, 'PATCH', edgePath(String(before['id'])), Object.fromEntries(old));
  });

/** Property by property, each stored before the next one is looked at. */
const onePropertyAtATime: Mutate = instead('updateEdge', async (next, request) => {
  const response = await next(request);
  const patch = jsonIn(request);
  if (response.status !== 400 || !isObject(patch)) return response;
  for (const [name, value] of Object.entries(patch)) {
    if ((await next(sending(request, { [name]: value }))).status !== 200) break;
  }
  return response;
});

/** A refused change of which a part was stored. */
const partly = (part: (patch: Json) => Json): Mutate => refusedInPart('updateEdge', 400, part);

const only = (patch: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(patch).filter(([name]) => names.includes(name)));

/** Reads answer as they did at creation, or after the change before. */
const readsBehind = (what: 'creation' | 'last write'): Mutate =>
  remembering(() => {
    const shown = new Map<string, Json>();
    const stale = new Map<string, Json>();
    return done(['createEdge', 'getEdge', 'updateEdge'], (response, _, { operationId }) => {
      const edge = jsonOf(response);
      if (operationId === 'getEdge')
        return showing(response, { ...edge, ...without(stale.get(edge.id) ?? {}, 'routes') });
      if (operationId === 'updateEdge') stale.set(edge.id, shown.get(edge.id) ?? edge);
      if (operationId === 'createEdge' || what === 'last write') shown.set(edge.id, edge);
      return response;
    });
  });

/** A cache that is filled by reads, and that changes do not clear. */
const cached: Mutate = remembering(() => {
  const read = new Map<string, Json>();
  return showingAs('getEdge', (edge) => {
    if (!read.has(edge.id)) read.set(edge.id, edge);
    return read.get(edge.id);
  });
});

/** The same change that an edge has had last. */
const again = (then: (request: Parameters<ReturnType<Mutate>>[0]) => ReturnType<ReturnType<Mutate>>): Mutate =>
  remembering(() => {
    const last = new Map<string, string>();
    return instead('updateEdge', async (next, request, { path }) => {
      const body = request.body.toString();
      if (last.get(path['id']!) === body) return then(request);
      const response = await next(request);
      if (response.status === 200) last.set(path['id']!, body);
      return response;
    });
  });

/** Changes that were done are remembered by edge, and change what is shown of it from then on. */
const marking = (show: (edge: Json, at: Date) => Json): Mutate =>
  remembering(() => {
    const changed = new Map<string, Date>();
    return done(['getEdge', 'updateEdge'], (response, _, { operationId }) => {
      const edge = jsonOf(response);
      if (operationId === 'updateEdge') changed.set(edge.id, new Date());
      const at = changed.get(edge.id);
      return at ? showing(response, show(edge, at)) : response;
    });
  });

/** A change reaches another edge as well. */
const reaching = (which: (own: string, all: string[]) => string | undefined): Mutate =>
  remembering(() => {
    const all: string[] = [];
    return instead(['createEdge', 'updateEdge'], async (next, request, { operationId, path }) => {
      const response = await next(request);
      if (operationId === 'createEdge' && response.status === 201) all.push(jsonOf(response).id);
      const other = operationId === 'updateEdge' && response.status === 200 ? which(path['id']!, all) : undefined;
      if (other !== undefined) await ask(next, request, 'PATCH', edgePath(other), jsonIn(request));
      return response;
    });
  });

const isEmpty = (patch: unknown) => isObject(patch) && Object.keys(patch).length === 0;
const empty = (then: Parameters<typeof after>[1]): Mutate =>
  after('updateEdge', (response, request, call) =>
    response.status === 200 && isEmpty(jsonIn(request)) ? then(response, request, call) : response,
  );

const DEFAULTS: Json = { description: '', metadata: '', hostports: [], mutual_tls: null, tls_termination: null };

export const edgeUpdates: Mutant[] = [
  ...PROPERTIES.map((name) =>
    mutant(
      `${name}-not-stored`,
      'edges.update.echo',
      `A change of \`${name}\` is answered, and not stored.`,
      notStored(name),
    ),
  ),
  mutant(
    'nothing-stored',
    'edges.update.echo',
    'A change is answered, and nothing of it is stored.',
    notStored(...PROPERTIES),
  ),
  mutant(
    'answers-before',
    'edges.update.echo',
    'A change answers with the edge as it was before.',
    instead('updateEdge', async (next, request, { path }) => {
      const before = await edgeOf(next, request, path['id']!);
      const response = await next(request);
      return response.status === 200 ? showing(response, before) : response;
    }),
  ),
  mutant(
    'answers-sent',
    'edges.update.echo',
    'A change answers with what was sent, and no more.',
    done('updateEdge', (response, request) => showing(response, jsonIn(request))),
  ),
  mutant('reads-as-created', 'edges.update.echo', 'A changed edge reads as it was created.', readsBehind('creation')),
  mutant('reads-one-behind', 'edges.update.echo', 'Reads lag behind by one change.', readsBehind('last write')),
  mutant('cached', 'edges.update.echo', 'An edge that was read once reads the same ever after.', cached),
  mutant(
    'trims',
    'edges.update.echo',
    'White space around a changed description is removed.',
    sentText((text) => text.trim()),
  ),
  mutant(
    'nfc',
    'edges.update.echo',
    'A changed description is normalised to NFC.',
    sentText((text) => text.normalize('NFC')),
  ),
  mutant(
    'html-escape',
    'edges.update.echo',
    'A changed description is escaped for HTML.',
    sentText((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
  ),
  mutant(
    'drops-nul',
    'edges.update.echo',
    'NUL in a changed description is dropped.',
    sentText((text) => text.replaceAll('\0', '')),
  ),
  mutant(
    'loses-emoji',
    'edges.update.echo',
    'Characters of four bytes in a changed description are lost.',
    sentText((text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '')),
  ),
  mutant(
    'hostports-sorted',
    'edges.update.echo',
    'Hostports of a change are sorted.',
    sentList((items) => items.toSorted()),
  ),
  mutant(
    'hostports-lower-case',
    'edges.update.echo',
    'Hostports of a change are turned into lower case.',
    sentList((items) => unique(items.map((item) => item.toLowerCase()))),
  ),
  mutant(
    'authorities-unique',
    'edges.update.echo',
    'A certificate authority that is sent twice in a change is kept once.',
    sentModule('mutual_tls', (module) =>
      Array.isArray(module['certificate_authority_ids'])
        ? { ...module, certificate_authority_ids: unique(module['certificate_authority_ids']) }
        : module,
    ),
  ),
  mutant(
    'always-enabled',
    'edges.update.echo',
    'A module that a change sets is enabled, whatever it says.',
    sentModule('mutual_tls', (module) => (module['enabled'] === false ? { ...module, enabled: true } : module)),
  ),
  mutant(
    'min-version-lost',
    'edges.update.echo',
    'A `min_version` of `1.3` in a change becomes `1.2`.',
    sentModule('tls_termination', (module) =>
      module['min_version'] === '1.3' ? { ...module, min_version: '1.2' } : module,
    ),
  ),

  ...PROPERTIES.map((name) =>
    mutant(
      `${name}-reset-when-absent`,
      'edges.update.absent',
      `A change without \`${name}\` resets it.`,
      sent((patch) => (isEmpty(patch) ? patch : { [name]: DEFAULTS[name], ...patch })),
    ),
  ),
  mutant(
    'put',
    'edges.update.absent',
    'A change replaces the whole edge.',
    sent((patch) => ({ ...DEFAULTS, ...patch })),
  ),
  mutant(
    'absent-enabled',
    'edges.update.absent',
    'Modules that a change does not name are enabled by it.',
    changingEdge((patch, edge) => {
      const { mutual_tls: mutual, tls_termination: tls } = sentEdge(edge);
      return {
        ...(isObject(mutual) && { mutual_tls: { ...mutual, enabled: true } }),
        ...(isObject(tls) && { tls_termination: { ...tls, enabled: true } }),
        ...patch,
      };
    }),
  ),
  mutant(
    'absent-min-version',
    'edges.update.absent',
    'A change that does not name `tls_termination` sets its `min_version` to `1.2`.',
    changingEdge((patch, edge) => {
      const { tls_termination: tls } = sentEdge(edge);
      return { ...(isObject(tls) && { tls_termination: { ...tls, min_version: '1.2' } }), ...patch };
    }),
  ),
  mutant(
    'absent-authorities-lost',
    'edges.update.absent',
    'A change that does not name `mutual_tls` loses its certificate authorities.',
    changingEdge((patch, edge) => {
      const { mutual_tls: mutual } = sentEdge(edge);
      return { ...(isObject(mutual) && { mutual_tls: without(mutual, 'certificate_authority_ids') }), ...patch };
    }),
  ),

  ...PROPERTIES.map((name) =>
    mutant(
      `${name}-null-ignored`,
      'edges.update.null',
      `Null for \`${name}\` is taken for left out.`,
      sent((patch) => (patch[name] === null ? without(patch, name) : patch)),
    ),
  ),
  ...PROPERTIES.map((name) =>
    mutant(
      `${name}-null-refused`,
      'edges.update.null',
      `Null for \`${name}\` is refused with 400.`,
      instead('updateEdge', async (next, request) => {
        const patch = jsonIn(request);
        return isObject(patch) && patch[name] === null
          ? problem(400, 'invalid_request', { errors: [{ pointer: `/${name}`, code: 'type', detail: 'It is null.' }] })
          : next(request);
      }),
    ),
  ),
  mutant(
    'null-as-word',
    'edges.update.null',
    'A description of null becomes the word `null`.',
    sent((patch) => (patch['description'] === null ? { ...patch, description: 'null' } : patch)),
  ),
  mutant(
    'null-disables',
    'edges.update.null',
    'Null disables `mutual_tls`, and does not remove it.',
    changingEdge((patch, edge) =>
      patch['mutual_tls'] === null && isObject(edge['mutual_tls'])
        ? { ...patch, mutual_tls: { ...(sentEdge(edge)['mutual_tls'] as Json), enabled: false } }
        : patch,
    ),
  ),
  mutant(
    'null-default-module',
    'edges.update.null',
    'Null for `tls_termination` makes it the default one.',
    sent((patch) => (patch['tls_termination'] === null ? { ...patch, tls_termination: {} } : patch)),
  ),
  mutant(
    'null-shown',
    'edges.update.null',
    'A text that was reset reads as null in the answer to the change.',
    showingAs('updateEdge', (edge, request) => ({
      ...edge,
      ...only(jsonIn(request) as Json, 'description', 'metadata', 'hostports'),
    })),
  ),

  mutant(
    'mutual-tls-merged',
    'edges.update.replaced',
    '`mutual_tls` is merged with the old one.',
    changingEdge((patch, edge) =>
      isObject(patch['mutual_tls']) && isObject(edge['mutual_tls'])
        ? { ...patch, mutual_tls: { ...(sentEdge(edge)['mutual_tls'] as Json), ...patch['mutual_tls'] } }
        : patch,
    ),
  ),
  mutant(
    'tls-termination-merged',
    'edges.update.replaced',
    '`tls_termination` is merged with the old one.',
    changingEdge((patch, edge) =>
      isObject(patch['tls_termination']) && isObject(edge['tls_termination'])
        ? { ...patch, tls_termination: { ...(sentEdge(edge)['tls_termination'] as Json), ...patch['tls_termination'] } }
        : patch,
    ),
  ),
  mutant(
    'authorities-added',
    'edges.update.replaced',
    'Certificate authorities of a change are added to those that are there.',
    changingEdge((patch, edge) => {
      const { mutual_tls: mutual } = patch;
      if (!isObject(mutual) || !isObject(edge['mutual_tls'])) return patch;
      const { certificate_authority_ids: ids = [] } = mutual;
      return Array.isArray(ids)
        ? {
            ...patch,
            mutual_tls: {
              ...mutual,
              certificate_authority_ids: [...idsOf(edge['mutual_tls']['certificate_authorities']), ...ids],
            },
          }
        : patch;
    }),
  ),
  mutant(
    'hostports-added',
    'edges.update.replaced',
    'Hostports of a change are added to those that are there.',
    changingEdge((patch, edge) =>
      Array.isArray(patch['hostports'])
        ? { ...patch, hostports: unique([...(edge['hostports'] as string[]), ...patch['hostports']]) }
        : patch,
    ),
  ),
  mutant(
    'hostports-in-old-order',
    'edges.update.replaced',
    'Hostports that stay keep their old places.',
    changingEdge((patch, edge) => {
      const { hostports } = patch;
      if (!Array.isArray(hostports)) return patch;
      const old = edge['hostports'] as string[];
      return {
        ...patch,
        hostports: [
          ...old.filter((item) => hostports.includes(item)),
          ...hostports.filter((item) => !old.includes(item)),
        ],
      };
    }),
  ),
  mutant(
    'hostports-same-set',
    'edges.update.replaced',
    'Hostports in another order are taken for no change.',
    changingEdge((patch, edge) => {
      const { hostports } = patch;
      return Array.isArray(hostports) &&
        hostports.toSorted().join() === (edge['hostports'] as string[]).toSorted().join()
        ? without(patch, 'hostports')
        : patch;
    }),
  ),
  mutant(
    'empty-ignored',
    'edges.update.replaced',
    'What is empty in a change is taken for left out.',
    sent((patch) => ({
      ...withoutEmpty(patch),
      ...Object.fromEntries(Object.entries(patch).filter(([, value]) => value === null)),
    })),
  ),
  mutant(
    'empty-list-ignored',
    'edges.update.replaced',
    'An empty list in a change is taken for left out.',
    sent((patch) =>
      Array.isArray(patch['hostports']) && patch['hostports'].length === 0 ? without(patch, 'hostports') : patch,
    ),
  ),
  mutant(
    'empty-text-ignored',
    'edges.update.replaced',
    'An empty text in a change is taken for left out.',
    sent((patch) => (patch['metadata'] === '' ? without(patch, 'metadata') : patch)),
  ),
  mutant(
    'empty-module-ignored',
    'edges.update.replaced',
    'An empty module in a change is taken for left out.',
    sent((patch) => (isEmpty(patch['tls_termination']) ? without(patch, 'tls_termination') : patch)),
  ),
  mutant(
    'empty-module-removes',
    'edges.update.replaced',
    'An empty module in a change removes the old one.',
    sent((patch) => (isEmpty(patch['mutual_tls']) ? { ...patch, mutual_tls: null } : patch)),
  ),

  mutant(
    'nothing-400',
    'edges.update.nothing',
    'A change of nothing is refused with 400.',
    empty(() =>
      problem(400, 'invalid_request', { errors: [{ pointer: '', code: 'minProperties', detail: 'It is empty.' }] }),
    ),
  ),
  mutant(
    'nothing-204',
    'edges.update.nothing',
    'A change of nothing is answered with 204.',
    empty((response) => ({ ...showing(response, undefined), status: 204 })),
  ),
  mutant(
    'nothing-304',
    'edges.update.nothing',
    'A change of nothing is answered with 304.',
    empty((response) => ({ ...showing(response, undefined), status: 304 })),
  ),
  mutant(
    'nothing-resets',
    'edges.update.nothing',
    'A change of nothing resets all.',
    sent((patch) => (isEmpty(patch) ? DEFAULTS : patch)),
  ),
  mutant(
    'nothing-empty-answer',
    'edges.update.nothing',
    'A change of nothing answers with an empty object.',
    empty((response) => showing(response, {})),
  ),
  mutant(
    'nothing-clears-hostports',
    'edges.update.nothing',
    'A change of nothing clears hostports.',
    sent((patch) => (isEmpty(patch) ? { hostports: [] } : patch)),
  ),

  mutant(
    'again-409',
    'edges.update.idempotent',
    'The same change again is answered with 409.',
    again(async () => problem(409, 'conflict')),
  ),
  mutant(
    'again-400',
    'edges.update.idempotent',
    'The same change again is refused, as it changes nothing.',
    again(async () =>
      problem(400, 'invalid_request', { errors: [{ pointer: '', code: 'unchanged', detail: 'It changes nothing.' }] }),
    ),
  ),
  mutant(
    'again-304',
    'edges.update.idempotent',
    'The same change again is answered with 304.',
    again(async () => ({ status: 304, headers: {}, body: '' })),
  ),
  mutant(
    'again-removes',
    'edges.update.idempotent',
    'A module that is set again is taken away.',
    changingEdge((patch, edge) =>
      isObject(patch['mutual_tls']) && isObject(edge['mutual_tls']) ? { ...patch, mutual_tls: null } : patch,
    ),
  ),
  mutant(
    'again-reverses',
    'edges.update.idempotent',
    'Each change toggles `enabled` of `tls_termination`.',
    changingEdge((patch, edge) =>
      isObject(patch['tls_termination']) && isObject(edge['tls_termination'])
        ? {
            ...patch,
            tls_termination: { ...patch['tls_termination'], enabled: edge['tls_termination']['enabled'] !== true },
          }
        : patch,
    ),
  ),

  mutant(
    'moves-created-at',
    'edges.update.identity',
    'A change sets `created_at` to its own time.',
    marking((edge, at) => ({ ...edge, created_at: at.toISOString() })),
  ),
  mutant(
    'created-at-reformatted',
    'edges.update.identity',
    'After a change, `created_at` is written in another way.',
    marking((edge) => ({ ...edge, created_at: new Date(String(edge['created_at'])).toISOString() })),
  ),
  mutant(
    'uri-of-list',
    'edges.update.identity',
    'After a change, `uri` is that of all edges.',
    marking((edge) => ({ ...edge, uri: String(edge['uri']).replace(/\/[^/]+$/, '') })),
  ),
  mutant(
    'uri-with-version',
    'edges.update.identity',
    'After a change, `uri` names a version.',
    marking((edge) => ({ ...edge, uri: `${edge['uri']}?version=2` })),
  ),
  mutant(
    'new-id',
    'edges.update.identity',
    'A change gives the edge another id.',
    showingAs('updateEdge', (edge) => ({ ...edge, id: `${String(edge.id).slice(0, 60)}_2` })),
  ),

  mutant(
    'answers-without-routes',
    'edges.update.routes-stay',
    'A change answers with the edge without its routes.',
    showingAs('updateEdge', (edge) => ({ ...edge, routes: [] })),
  ),
  mutant(
    'deletes-routes',
    'edges.update.routes-stay',
    'A change of an edge deletes its routes.',
    afterChange(async (next, request, before) => {
      for (const route of before['routes'] as Json[])
        await ask(next, request, 'DELETE', routePath(String(before['id']), String(route['id'])));
    }),
  ),
  mutant(
    'resets-route-modules',
    'edges.update.routes-stay',
    'A change of an edge takes `compression` from its routes.',
    afterChange(async (next, request, before) => {
      for (const route of before['routes'] as Json[])
        await ask(next, request, 'PATCH', routePath(String(before['id']), String(route['id'])), { compression: null });
    }),
  ),
  mutant(
    'describes-routes',
    'edges.update.routes-stay',
    'A change of the description of an edge is one of its routes, too.',
    afterChange(async (next, request, before, { description }) => {
      if (typeof description !== 'string') return;
      for (const route of before['routes'] as Json[])
        await ask(next, request, 'PATCH', routePath(String(before['id']), String(route['id'])), { description });
    }),
  ),
  mutant(
    'changes-next-edge',
    'edges.update.routes-stay',
    'A change of an edge changes the newest one as well.',
    reaching((own, all) => all.findLast((id) => id !== own)),
  ),

  mutant(
    'stored-one-by-one',
    'edges.update.refused-changes-nothing',
    'The properties before the one that is wrong are stored.',
    onePropertyAtATime,
  ),
  mutant(
    'stored-known',
    'edges.update.refused-changes-nothing',
    'A change with an unknown property is refused after the others were stored.',
    partly((patch) => only(patch, ...PROPERTIES)),
  ),
  mutant(
    'stored-texts',
    'edges.update.refused-changes-nothing',
    'Texts are stored before modules are looked at.',
    partly((patch) => only(patch, 'description', 'metadata')),
  ),
  mutant(
    'stored-nulls',
    'edges.update.refused-changes-nothing',
    'What a change removes is removed before the rest is looked at.',
    partly((patch) => Object.fromEntries(Object.entries(patch).filter(([, value]) => value === null))),
  ),
  mutant(
    'stored-unlike-hostports',
    'edges.update.refused-changes-nothing',
    'A change with the same hostport twice is refused after one of them was stored.',
    partly((patch) => (Array.isArray(patch['hostports']) ? { hostports: unique(patch['hostports']) } : {})),
  ),
  mutant(
    'stored-with-default-version',
    'edges.update.refused-changes-nothing',
    'A change with an unknown version of TLS is refused after the module was stored with the default.',
    partly((patch) =>
      isObject(patch['tls_termination']) ? { tls_termination: without(patch['tls_termination'], 'min_version') } : {},
    ),
  ),

  mutant(
    'creates',
    'edges.update.unknown',
    'A change of an edge that does not exist creates one.',
    instead('updateEdge', async (next, request) => {
      const response = await next(request);
      return response.status === 404
        ? { ...(await ask(next, request, 'POST', '/edges/https', {})), status: 200 }
        : response;
    }),
  ),
  mutant(
    'unknown-nothing-400',
    'edges.update.unknown',
    'A change of nothing is refused before the edge is looked for.',
    after('updateEdge', (response, request) =>
      response.status === 404 && isEmpty(jsonIn(request))
        ? problem(400, 'invalid_request', { errors: [{ pointer: '', code: 'minProperties', detail: 'It is empty.' }] })
        : response,
    ),
  ),
  mutant(
    'unknown-403',
    'edges.update.unknown',
    'A change of an edge that does not exist is answered with 403.',
    after('updateEdge', (response) => (response.status === 404 ? problem(403, 'forbidden') : response)),
  ),
  mutant(
    'unknown-500',
    'edges.update.unknown',
    'A change of an edge that does not exist fails with 500.',
    after('updateEdge', (response) => (response.status === 404 ? problem(500, 'internal_error') : response)),
  ),
  mutant(
    'unknown-409',
    'edges.update.unknown',
    'A change of an edge that does not exist is answered with 409.',
    after('updateEdge', (response) => (response.status === 404 ? problem(409, 'conflict') : response)),
  ),
  mutant(
    'unknown-delete-204',
    'edges.update.unknown',
    'Deleting an edge that does not exist is answered with 204.',
    after('deleteEdge', (response) => (response.status === 404 ? { status: 204, headers: {}, body: '' } : response)),
  ),
  mutant(
    'deleted-410',
    'edges.update.unknown',
    'A change of an edge that was deleted is answered with 410.',
    remembering(() => {
      const gone = new Set<string>();
      return after(['updateEdge', 'deleteEdge'], (response, _, { operationId, path }) => {
        if (operationId === 'deleteEdge' && response.status === 204) gone.add(path['id']!);
        return operationId === 'updateEdge' && response.status === 404 && gone.has(path['id']!)
          ? problem(410, 'gone')
          : response;
      });
    }),
  ),
];
