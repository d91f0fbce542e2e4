/** Services that run open, without tokens (D28). */
import type { Implementation } from '../../engine/http/implementation.ts';
import { eachText, type Requirement } from '../../engine/requirements/requirement.ts';
import { core, INFO } from '../define.ts';
import { eachOffered, operationOf, succeedWith } from '../implementation.ts';
import { tries, type Variant } from './variants.ts';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function withToken({ token }: Implementation): string | undefined {
  if (token !== undefined) {
    return 'a token is given: this is about services that run open';
  }
  return undefined;
}

/** Hosts that no service has, also those that begin or end like a loopback name. */
const UNKNOWN_HOSTS = [
  'conformance.example',
  'conformance.example:80',
  '127.0.0.1.conformance.example',
  'localhost.conformance.example',
  'conformance-localhost',
];

const HOST_VARIANTS = UNKNOWN_HOSTS.map((host): Variant => ({
  label: host,
  change: { headers: { host } },
  due: [400],
  codes: ['malformed_request'],
  why: `The service does not know ${host}.`,
}));

const hosts: Requirement = {
  ...core(
    {
      id: 'open.hosts',
      origin: 'D28',
      clause: INFO,
      quotes: ['It refuses a request for another host'],
      sentence: 'Without tokens, a service refuses a request for a host that it does not know.',
    },
    (implementation) => tries(operationOf(implementation, 'createEdge'), HOST_VARIANTS),
  ),
  skip(implementation) {
    const reason = withToken(implementation);
    if (reason !== undefined) {
      return reason;
    }
    const { hostname } = implementation.client.base;
    if (!LOOPBACK.test(hostname)) {
      return 'the base URL is not a loopback address: any host may be known';
    }
    return undefined;
  },
};

const RUNS_OPEN = 'The service runs open.';

const authorization: Requirement = {
  ...core(
    {
      id: 'open.authorization',
      origin: 'D28',
      clause: INFO,
      quotes: ['A service that runs open'],
      sentence: 'Without tokens, a service ignores `Authorization`.',
    },
    eachText(['Basic YTpi', 'Bearer', 'x'], (credentials, session) => {
      const headers = { authorization: credentials };
      return succeedWith(session, 'createEventSource', { headers }, RUNS_OPEN);
    }),
    (implementation) =>
      eachOffered(implementation, (operationId, session) => {
        const headers = { authorization: 'Bearer conformance-any-token' };
        return succeedWith(session, operationId, { headers }, RUNS_OPEN);
      }),
  ),
  skip: withToken,
};

export const openServiceRequirements: readonly Requirement[] = [hosts, authorization];
