/**
 * An edge that passes TLS through disallows modules (D09), in all directions: it is not switched while it has one, and
 * none is added once it is switched.
 */
import fc from 'fast-check';
import { expectSame } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { succeed } from '../../engine/http/expect-response.ts';
import { forAll, forEach, once } from '../../engine/laws/law.ts';
import { AT, extended } from '../define.ts';
import { patchedEdge, shownEdge, shownRoute } from '../model/shown.ts';
import { type Json, MODULE_NAMES, MODULES, WITH_UPSTREAM } from '../modules.ts';
import {
  conflict,
  createRoute,
  expectShown,
  expectTaken,
  getEdge,
  newEdge,
  patchEdge,
  patchRoute,
  pathOf,
} from '../steps.ts';
import { BARE } from '../values/routes.ts';

const UPSTREAM: Json = { tls_termination: { terminate_at: 'upstream' } };
const DISALLOWED = MODULE_NAMES.filter((name) => !WITH_UPSTREAM.includes(name));
const ALLOWED = { ...BARE, ...Object.fromEntries(WITH_UPSTREAM.map((name) => [name, MODULES[name].minimal])) };
const PASSES = 'With `terminate_at: upstream`';
const WHY = 'The edge passes TLS through.';

/** Whether it is enabled makes no difference: such a module is not taken at all. */
const EACH_OTHER: Json[] = DISALLOWED.flatMap((name) =>
  [MODULES[name].full, MODULES[name].minimal].map((module) => ({ [name]: module })),
);

/** The edge and its routes are what they were. */
async function expectUnchanged(session: Session, edge: Json & { id: string }, routes: Json[] = []): Promise<void> {
  expectSame('A refused change changed something', await getEdge(session, edge.id), { ...edge, routes });
}

async function expectConflict(session: Session, body: Json, patch: Json): Promise<void> {
  const edge = await newEdge(session, body);
  await conflict(session, 'updateEdge', { edge_id: edge.id }, { ...patch, description: 'changed' }, WHY);
  await expectUnchanged(session, edge);
}

const routeLaws = [
  extended(
    ['routes.upstream.create', 'D09', AT.conflict, PASSES],
    'On an edge that passes TLS through, a new route takes `backend` and `ip_restriction` only: others are refused with 409.',
    forEach('each other module', EACH_OTHER, async (module, session) => {
      const edge = await newEdge(session, UPSTREAM);
      await conflict(session, 'createRoute', { edge_id: edge.id }, { ...ALLOWED, ...module }, WHY);
      await expectUnchanged(session, edge);
    }),
  ),
  extended(
    ['routes.upstream.update', 'D09', AT.conflict, PASSES],
    'On an edge that passes TLS through, a route is not given other modules than `backend` and `ip_restriction`: 409.',
    forEach('each other module', EACH_OTHER, async (module, session) => {
      const edge = await newEdge(session, UPSTREAM);
      const route = await createRoute(session, edge.id, ALLOWED);
      const json = { backend: MODULES.backend.full, ...module };
      await conflict(session, 'updateRoute', pathOf(route), json, WHY);
      await expectUnchanged(session, edge, [route]);
    }),
  ),
  extended(
    ['routes.upstream.allowed', 'D09', AT.createRoute],
    'On an edge that passes TLS through, routes take `backend` and `ip_restriction`, and null for the others.',
    forAll('nulls beside them', fc.subarray(DISALLOWED), async (names, session) => {
      const nulls = Object.fromEntries(names.map((name) => [name, null]));
      const edge = await newEdge(session, UPSTREAM);
      const body = { ...ALLOWED, ...nulls };
      const route = await createRoute(session, edge.id, body);
      expectShown('The route is not what was sent', route, shownRoute(body));
      const full = Object.fromEntries(WITH_UPSTREAM.map((name) => [name, MODULES[name].full]));
      await expectTaken(session, route, body, { ...nulls, ...full, description: 'changed' });
    }),
  ),
];

const edgeLaws = [
  extended(
    ['edges.update.upstream.routes', 'D09', AT.conflict, '| 409 | `conflict`'],
    'An edge with a route that has other modules than `backend` and `ip_restriction` is not switched to pass TLS through: 409.',
    forEach('each other module', EACH_OTHER, async (module, session) => {
      const edge = await newEdge(session, { description: 'before' });
      const fine = await createRoute(session, edge.id, { ...ALLOWED, match: '/fine' });
      const route = await createRoute(session, edge.id, { ...BARE, ...module });
      const json = { ...UPSTREAM, description: 'changed' };
      await conflict(session, 'updateEdge', { edge_id: edge.id }, json, 'A route has another module.');
      await expectUnchanged(session, edge, [fine, route]);
    }),
  ),
  extended(
    ['edges.update.upstream.mutual-tls', 'D09', AT.conflict, PASSES],
    'An edge has `mutual_tls` or passes TLS through: a change that makes it both is refused with 409.',
    forEach('switched beside it', [{}, { enabled: false }], (mutual_tls, session) =>
      expectConflict(session, { mutual_tls }, UPSTREAM),
    ),
    forEach('added to a switched edge', [{}, { enabled: false }], (mutual_tls, session) =>
      expectConflict(session, UPSTREAM, { mutual_tls }),
    ),
  ),
  extended(
    ['edges.update.upstream.together', 'D09', AT.updateEdge],
    'One change takes `mutual_tls` away and passes TLS through, or the other way round.',
    ({ testData }) => {
      const mutual_tls = { certificate_authority_ids: testData.certificateAuthorityIds.slice(0, 1) };
      const changes: [body: Json, patch: Json][] = [
        [{ mutual_tls }, { ...UPSTREAM, mutual_tls: null }],
        [UPSTREAM, { tls_termination: { terminate_at: 'edge' }, mutual_tls: {} }],
        // Without a `tls_termination` at all, nothing is passed through either.
        [UPSTREAM, { tls_termination: null, mutual_tls: {} }],
      ];
      return forEach('there, and back', changes, async ([body, patch], session) => {
        const { id } = await newEdge(session, body);
        const due = patchedEdge(shownEdge(body), patch);
        expectSame('The change is not there', await patchEdge(session, id, patch), due);
      });
    },
  ),
  extended(
    ['edges.update.upstream.allowed', 'D09', AT.updateEdge],
    'An edge whose routes have `backend` and `ip_restriction` only can be switched to pass TLS through.',
    once('allowed modules', async (session) => {
      const edge = await newEdge(session);
      const route = await createRoute(session, edge.id, ALLOWED);
      const due = { ...patchedEdge(shownEdge({}), UPSTREAM), routes: [route] };
      for (const shown of [await patchEdge(session, edge.id, UPSTREAM), await getEdge(session, edge.id)])
        expectSame('The change is not there, or the routes changed', shown, due);
    }),
    forEach('once the others are gone', ['removed', 'deleted'], async (how, session) => {
      const edge = await newEdge(session);
      const route = await createRoute(session, edge.id, { ...ALLOWED, compression: {} });
      if (how === 'removed') await patchRoute(session, route, { compression: null });
      else await succeed(session, 'deleteRoute', { path: pathOf(route) });
      await patchEdge(session, edge.id, UPSTREAM);
    }),
  ),
  extended(
    ['edges.update.upstream.back', 'D09', AT.updateEdge],
    'An edge that no longer passes TLS through takes every module again.',
    forEach('by edge, and by null', [{ terminate_at: 'edge' }, {}, null], async (tls_termination, session) => {
      const edge = await newEdge(session, UPSTREAM);
      const route = await createRoute(session, edge.id, ALLOWED);
      await patchEdge(session, edge.id, { tls_termination });
      await expectTaken(session, route, ALLOWED, { compression: {} });
      await patchEdge(session, edge.id, { mutual_tls: {} });
    }),
  ),
];

export const upstreamLaws = [...routeLaws, ...edgeLaws];
