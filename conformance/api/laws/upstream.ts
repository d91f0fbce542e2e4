/**
 * What an edge that passes TLS through disallows (D09), in all directions: the edge is switched while it has what is
 * disallowed, and what is disallowed is added while the edge is switched.
 */
import fc from 'fast-check';
import { expectSame } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { type Json, MODULES, type ModuleName, patched, shownRoute, WITH_UPSTREAM } from '../model/route.ts';
import { patchedEdge, shownEdge } from '../model/edge-update.ts';
import { AT, type Cases, each, extended, type Law, once, oneOf } from './law.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import {
  conflict,
  createRoute,
  deleteRoute,
  expectRoutes,
  expectShown,
  newEdge,
  patchEdge,
  patchRoute,
} from '../route-steps.ts';
import { BARE, FORMS } from '../values/route-values.ts';
import { getEdge } from '../steps.ts';

const UPSTREAM: Json = { tls_termination: { terminate_at: 'upstream' } };
const DISALLOWED = MODULES.filter((name) => !WITH_UPSTREAM.includes(name));
const ALLOWED = Object.fromEntries(WITH_UPSTREAM.map((name) => [name, FORMS[name].bare]));
const WHY = 'The edge passes TLS through.';

/** Whether it is enabled makes no difference: such a module is not taken at all. */
const FORM = ['full', 'bare'] as const;
const MODULES_IN_FORMS = DISALLOWED.flatMap((name) => FORM.map((form) => ({ name, form })));

function law(id: string, rule: Partial<Law> & { sentence: string }, properties: Cases): Requirement {
  return extended(id, { origin: 'D09', clause: AT.conflict, ...rule }, properties);
}

/** The edge and its routes are what they were. */
async function expectUnchanged(session: Session, edge: Json & { id: string }, routes: Json[] = []): Promise<void> {
  expectSame('A refused change changed something', await getEdge(session, edge.id), { ...edge, routes });
}

export function upstreamLaws(): Requirement[] {
  return [
    law(
      'routes.upstream.create',
      {
        sentence:
          'On an edge that passes TLS through, a new route takes `backend` and `ip_restriction` only: others are refused with 409.',
      },
      [
        oneOf('each other module', MODULES_IN_FORMS, async ({ name, form }, session) => {
          const edge = await newEdge(session, UPSTREAM);
          await conflict(
            session,
            'createRoute',
            { path: { edge_id: edge.id }, json: { ...BARE, ...ALLOWED, [name]: FORMS[name][form] } },
            'conflict',
            WHY,
          );
          await expectUnchanged(session, edge);
        }),
      ],
    ),
    law(
      'routes.upstream.update',
      {
        sentence:
          'On an edge that passes TLS through, a route is not given other modules than `backend` and `ip_restriction`: 409.',
      },
      [
        oneOf('each other module', MODULES_IN_FORMS, async ({ name, form }, session) => {
          const edge = await newEdge(session, UPSTREAM);
          const route = await createRoute(session, edge.id, { ...BARE, ...ALLOWED });
          const json = { backend: FORMS.backend.full, [name]: FORMS[name][form] };
          await conflict(session, 'updateRoute', { path: { edge_id: edge.id, id: route.id }, json }, 'conflict', WHY);
          await expectUnchanged(session, edge, [route]);
        }),
      ],
    ),
    law(
      'routes.upstream.allowed',
      {
        clause: AT.createRoute,
        sentence:
          'On an edge that passes TLS through, routes take `backend` and `ip_restriction`, and null for the others.',
      },
      [
        each('nulls beside them', fc.subarray(DISALLOWED), async (names, session) => {
          const nulls = Object.fromEntries(names.map((name) => [name, null]));
          const edge = await newEdge(session, UPSTREAM);
          const body = { ...BARE, ...ALLOWED, ...nulls };
          const route = await createRoute(session, edge.id, body);
          expectShown('The route is not what was sent', route, shownRoute(body));
          const patch = {
            ...nulls,
            backend: FORMS.backend.full,
            ip_restriction: FORMS.ip_restriction.full,
            description: 'changed',
          };
          expectShown(
            'The change is not there',
            await patchRoute(session, route, patch),
            patched(shownRoute(body), patch),
          );
        }),
      ],
    ),
    law(
      'edges.update.upstream.routes',
      {
        sentence:
          'An edge with a route that has other modules than `backend` and `ip_restriction` is not switched to pass TLS through: 409.',
      },
      [
        oneOf('each other module', MODULES_IN_FORMS, async ({ name, form }, session) => {
          const edge = await newEdge(session, { description: 'before' });
          const fine = await createRoute(session, edge.id, { ...BARE, match: '/fine', ...ALLOWED });
          const route = await createRoute(session, edge.id, { ...BARE, [name]: FORMS[name][form] });
          await conflict(
            session,
            'updateEdge',
            { path: { id: edge.id }, json: { ...UPSTREAM, description: 'changed' } },
            'conflict',
            `A route has \`${name}\`.`,
          );
          await expectUnchanged(session, edge, [fine, route]);
        }),
      ],
    ),
    law(
      'edges.update.upstream.mutual-tls',
      { sentence: 'An edge has `mutual_tls` or passes TLS through: a change that makes it both is refused with 409.' },
      [
        oneOf('switched beside mutual_tls', [{}, { enabled: false }], async (mutual_tls, session) => {
          const edge = await newEdge(session, { mutual_tls });
          await conflict(
            session,
            'updateEdge',
            { path: { id: edge.id }, json: { ...UPSTREAM, description: 'changed' } },
            'conflict',
            'The edge has `mutual_tls`.',
          );
          await expectUnchanged(session, edge);
        }),
        oneOf('mutual_tls added to a switched edge', [{}, { enabled: false }], async (mutual_tls, session) => {
          const edge = await newEdge(session, UPSTREAM);
          await conflict(
            session,
            'updateEdge',
            { path: { id: edge.id }, json: { mutual_tls, description: 'changed' } },
            'conflict',
            WHY,
          );
          await expectUnchanged(session, edge);
        }),
      ],
    ),
    law(
      'edges.update.upstream.together',
      {
        clause: AT.updateEdge,
        sentence: 'One change takes `mutual_tls` away and passes TLS through, or the other way round.',
      },
      [
        oneOf('there, and back', ['there', 'back'], async (way, session) => {
          const [body, patch]: [Json, Json] =
            way === 'there'
              ? [
                  {
                    mutual_tls: {
                      certificate_authority_ids: session.implementation.testData.certificateAuthorityIds.slice(0, 1),
                    },
                  },
                  { ...UPSTREAM, mutual_tls: null },
                ]
              : [UPSTREAM, { tls_termination: { terminate_at: 'edge' }, mutual_tls: {} }];
          const edge = await newEdge(session, body);
          expectSame(
            'The change is not there',
            await patchEdge(session, edge.id, patch),
            patchedEdge(shownEdge(body), patch),
          );
          const other = await newEdge(session, body);
          // Without a `tls_termination` at all, nothing is passed through either.
          if (way === 'back') await patchEdge(session, other.id, { tls_termination: null, mutual_tls: {} });
        }),
      ],
    ),
    law(
      'edges.update.upstream.allowed',
      {
        clause: AT.updateEdge,
        sentence: 'An edge whose routes have `backend` and `ip_restriction` only can be switched to pass TLS through.',
      },
      [
        once('allowed modules', async (session) => {
          const edge = await newEdge(session);
          const route = await createRoute(session, edge.id, { ...BARE, ...ALLOWED });
          const changed = await patchEdge(session, edge.id, UPSTREAM);
          expectSame('The change is not there', changed, patchedEdge(shownEdge({}), UPSTREAM));
          await expectRoutes(session, edge.id, [route], 'The routes changed');
        }),
        oneOf('once the others are gone', ['removed', 'deleted'], async (how, session) => {
          const edge = await newEdge(session);
          const route = await createRoute(session, edge.id, { ...BARE, ...ALLOWED, compression: {} });
          if (how === 'removed') await patchRoute(session, route, { compression: null });
          else await deleteRoute(session, route);
          await patchEdge(session, edge.id, UPSTREAM);
        }),
      ],
    ),
    law(
      'edges.update.upstream.back',
      { clause: AT.updateEdge, sentence: 'An edge that no longer passes TLS through takes every module again.' },
      [
        oneOf('by edge, and by null', [{ terminate_at: 'edge' }, {}, null], async (tls_termination, session) => {
          const edge = await newEdge(session, UPSTREAM);
          const route = await createRoute(session, edge.id, { ...BARE, ...ALLOWED });
          await patchEdge(session, edge.id, { tls_termination });
          const name: ModuleName = 'compression';
          const patch = { [name]: {} };
          expectShown(
            'The change is not there',
            await patchRoute(session, route, patch),
            patched(shownRoute({ ...BARE, ...ALLOWED }), patch),
          );
          await patchEdge(session, edge.id, { mutual_tls: {} });
        }),
      ],
    ),
  ];
}
