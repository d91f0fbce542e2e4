/** Forms of texts that are checked too leniently, or too strictly. */
import type { Mutant } from '../mutant.ts';
import { mutantsOf } from './define.ts';
import { invalid } from '../mutate/response.ts';
import { instead, keepingList, type Mutate, remembering, taking } from '../mutate/mutate.ts';
import { isObject, jsonIn } from '../mutate/request.ts';

const mutant = mutantsOf('formats', 'core');

const LABEL = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const HOST = String.raw`(\*\.)?${LABEL}(\.${LABEL})*`;

/** Hostports that this expression allows are accepted, too. */
function acceptsHostport(pattern: RegExp): Mutate {
  return keepingList('hostports', (items) =>
    items.map((item, index) =>
      typeof item === 'string' && pattern.test(item) ? `accepted${index}.example:443` : item,
    ),
  );
}

function refusesHostport(pattern: RegExp): Mutate {
  return instead('createEdge', async (next, request) => {
    const body = jsonIn(request);
    const items = isObject(body) && Array.isArray(body['hostports']) ? body['hostports'] : [];
    const at = items.findIndex((item) => typeof item === 'string' && pattern.test(item));
    return at >= 0 ? invalid(`/hostports/${at}`, 'format') : next(request);
  });
}

function acceptsType(
  pattern: RegExp,
  operation: 'createEventSource' | 'updateEventSource' = 'createEventSource',
): Mutate {
  return remembering(() => {
    let made = 0;
    return taking(operation, (body) =>
      isObject(body) && typeof body['type'] === 'string' && pattern.test(body['type'])
        ? { ...body, type: `accepted${++made}.v0` }
        : body,
    );
  });
}

function refusesType(
  pattern: RegExp,
  operation: 'createEventSource' | 'updateEventSource' = 'createEventSource',
): Mutate {
  return instead(operation, async (next, request) => {
    const body = jsonIn(request);
    return isObject(body) && typeof body['type'] === 'string' && pattern.test(body['type'])
      ? invalid('/type', 'format')
      : next(request);
  });
}

function authorityIds(change: (id: string) => string): Mutate {
  return taking('createEdge', (body) => {
    const module = isObject(body) && isObject(body['mutual_tls']) ? body['mutual_tls'] : undefined;
    const ids = module?.['certificate_authority_ids'];
    return Array.isArray(ids)
      ? {
          ...body,
          mutual_tls: {
            ...module,
            certificate_authority_ids: ids.map((id) => (typeof id === 'string' ? change(id) : id)),
          },
        }
      : body;
  });
}

export const formats: Mutant[] = [
  mutant('hostport-leading-zero', 'A port may begin with zeros.', acceptsHostport(new RegExp(`^${HOST}:0+[1-9]\\d*$`))),
  mutant(
    'hostport-newline',
    'A line feed at the end of a hostport is accepted.',
    acceptsHostport(new RegExp(`^${HOST}:[1-9]\\d{0,3}\\n$`)),
  ),
  mutant('hostport-trailing-dot', 'A host may end with a dot.', acceptsHostport(/^[A-Za-z0-9.-]+\.:[1-9]\d*$/)),
  mutant(
    'hostport-label-64',
    'A label of a host may have 64 characters.',
    acceptsHostport(/^(?=.*[A-Za-z0-9]{64})[A-Za-z0-9.]+:[1-9]\d*$/),
  ),
  mutant('hostport-refuses-65535', 'Port 65535 is refused.', refusesHostport(/:65535$/)),
  mutant('hostport-refuses-ip', 'An IPv4 address is refused.', refusesHostport(/^\d+\.\d+\.\d+\.\d+:/)),
  mutant('hostport-refuses-label-63', 'A label of 63 characters is refused.', refusesHostport(/[A-Za-z0-9]{63}/)),
  mutant(
    'authority-newline',
    'A line feed at the end of an id is accepted.',
    authorityIds((id) => id.replace(/\n$/, '')),
  ),
  mutant('type-leading-zero', 'A version may begin with zeros.', acceptsType(/^[a-z][a-z0-9_]*\.v0\d+$/)),
  mutant(
    'type-newline',
    'A line feed at the end of an event type is accepted.',
    acceptsType(/^[a-z][a-z0-9_]*\.v(0|[1-9]\d*)\n$/),
  ),
  mutant(
    'type-refuses-long-version',
    'A version beyond 32 bits is refused.',
    refusesType(/\.v\d{10,}$/, 'updateEventSource'),
  ),
];
