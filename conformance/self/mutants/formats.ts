/** Forms of texts that are judged too leniently, or too strictly. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import { invalid } from '../mutate/response.ts';
import { instead, keepingList, type Mutate, remembering, taking } from '../mutate/mutate.ts';
import { isObject, jsonIn } from '../mutate/request.ts';

const mutant = mutantsOf('formats');

const HOSTPORT = 'createEdge.body.hostports.*.pattern';
const AUTHORITY = 'createEdge.body.mutual_tls.certificate_authority_ids.*.pattern';
const TYPE = 'createEventSource.body.type.pattern';
const NEW_TYPE = 'updateEventSource.body.type.pattern';

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
  mutant('hostport-port-0', HOSTPORT, 'Port 0 is accepted.', acceptsHostport(new RegExp(`^${HOST}:0$`))),
  mutant(
    'hostport-port-65536',
    HOSTPORT,
    'Ports beyond 65535 are accepted.',
    acceptsHostport(new RegExp(`^${HOST}:(6553[6-9]|[7-9]\\d{4})$`)),
  ),
  mutant(
    'hostport-leading-zero',
    HOSTPORT,
    'A port may begin with zeros.',
    acceptsHostport(new RegExp(`^${HOST}:0+[1-9]\\d*$`)),
  ),
  mutant('hostport-port-name', HOSTPORT, 'A port may be a word.', acceptsHostport(new RegExp(`^${HOST}:[a-z]+$`))),
  mutant('hostport-no-port', HOSTPORT, 'The port may be left out.', acceptsHostport(new RegExp(`^${HOST}:?$`))),
  mutant('hostport-no-host', HOSTPORT, 'The host may be left out.', acceptsHostport(/^:\d+$/)),
  mutant(
    'hostport-newline',
    HOSTPORT,
    'A line feed at the end of a hostport is accepted.',
    acceptsHostport(new RegExp(`^${HOST}:[1-9]\\d{0,3}\\n$`)),
  ),
  mutant(
    'hostport-multiline',
    HOSTPORT,
    'One line of several that is a hostport is enough.',
    acceptsHostport(new RegExp(`^[^]*(^|\\n)${HOST}:\\d+(\\n[^]*)?$`, 'm')),
  ),
  mutant(
    'hostport-underscore',
    HOSTPORT,
    'A host may have underscores.',
    acceptsHostport(/^[A-Za-z0-9.-]*_[A-Za-z0-9._-]*:[1-9]\d*$/),
  ),
  mutant('hostport-scheme', HOSTPORT, 'A hostport may begin with a scheme.', acceptsHostport(/^https?:\/\/[^/]+$/)),
  mutant(
    'hostport-unanchored',
    HOSTPORT,
    'A hostport may have something behind it.',
    acceptsHostport(new RegExp(`^${HOST}:[1-9]\\d{0,3}[^\\d].*$`, 's')),
  ),
  mutant(
    'hostport-trailing-dot',
    HOSTPORT,
    'A host may end with a dot.',
    acceptsHostport(/^[A-Za-z0-9.-]+\.:[1-9]\d*$/),
  ),
  mutant(
    'hostport-label-64',
    HOSTPORT,
    'A label of a host may have 64 characters.',
    acceptsHostport(/^(?=.*[A-Za-z0-9]{64})[A-Za-z0-9.]+:[1-9]\d*$/),
  ),
  mutant(
    'hostport-wildcard-anywhere',
    HOSTPORT,
    'A wildcard may stand anywhere in a host.',
    acceptsHostport(/^[A-Za-z0-9.-]+\*[A-Za-z0-9.-]*:[1-9]\d*$/),
  ),
  mutant('hostport-wildcard-alone', HOSTPORT, 'A wildcard alone is accepted as a host.', acceptsHostport(/^\*:\d+$/)),
  mutant(
    'hostport-hyphen',
    HOSTPORT,
    'A label may begin or end with a hyphen.',
    acceptsHostport(/^(-[a-z.-]+|[a-z]+-\.[a-z]+):[1-9]\d*$/),
  ),
  mutant('hostport-refuses-wildcard', HOSTPORT, 'A wildcard is refused.', refusesHostport(/^\*\./)),
  mutant('hostport-refuses-upper-case', HOSTPORT, 'Upper case is refused in a host.', refusesHostport(/[A-Z]/)),
  mutant('hostport-refuses-one-label', HOSTPORT, 'A host of one label is refused.', refusesHostport(/^[^.]+$/)),
  mutant('hostport-refuses-65535', HOSTPORT, 'Port 65535 is refused.', refusesHostport(/:65535$/)),
  mutant('hostport-refuses-port-1', HOSTPORT, 'Ports of one digit are refused.', refusesHostport(/:\d$/)),
  mutant('hostport-refuses-ip', HOSTPORT, 'An IPv4 address is refused.', refusesHostport(/^\d+\.\d+\.\d+\.\d+:/)),
  mutant('hostport-refuses-double-hyphen', HOSTPORT, 'Two hyphens in a label are refused.', refusesHostport(/--/)),
  mutant(
    'hostport-refuses-label-63',
    HOSTPORT,
    'A label of 63 characters is refused.',
    refusesHostport(/[A-Za-z0-9]{63}/),
  ),
  mutant('hostport-refuses-digits', HOSTPORT, 'A label of digits is refused.', refusesHostport(/(^|\.)\d+:/)),
  mutant(
    'authority-newline',
    AUTHORITY,
    'A line feed at the end of an id is accepted.',
    authorityIds((id) => id.replace(/\n$/, '')),
  ),
  mutant(
    'authority-dot',
    AUTHORITY,
    'A dot is accepted in an id.',
    authorityIds((id) => id.replaceAll('.', '_')),
  ),
  mutant(
    'authority-unicode',
    AUTHORITY,
    'Letters beyond ASCII are accepted in an id.',
    authorityIds((id) => id.replaceAll(/\p{L}/gu, 'a')),
  ),
  mutant(
    'authority-decoded',
    AUTHORITY,
    'Percent-escapes are accepted in an id.',
    authorityIds((id) => id.replaceAll(/%[0-9a-f]{2}/gi, '_')),
  ),
  mutant(
    'authority-trimmed',
    AUTHORITY,
    'White space around an id is dropped.',
    authorityIds((id) => id.trim()),
  ),
  mutant(
    'type-upper-case',
    TYPE,
    'Upper case is accepted in an event type.',
    acceptsType(/^[A-Za-z][A-Za-z0-9_]*\.v(0|[1-9]\d*)$/),
  ),
  mutant('type-leading-zero', TYPE, 'A version may begin with zeros.', acceptsType(/^[a-z][a-z0-9_]*\.v0\d+$/)),
  mutant(
    'type-newline',
    TYPE,
    'A line feed at the end of an event type is accepted.',
    acceptsType(/^[a-z][a-z0-9_]*\.v(0|[1-9]\d*)\n$/),
  ),
  mutant(
    'type-hyphen',
    TYPE,
    'A hyphen is accepted in an event type.',
    acceptsType(/^[a-z][a-z0-9_]*-[a-z0-9_-]*\.v(0|[1-9]\d*)$/),
  ),
  mutant('type-no-version', TYPE, 'The version may be left out.', acceptsType(/^[a-z][a-z0-9_]*$/)),
  mutant('type-two-names', TYPE, 'A name may have dots.', acceptsType(/^[a-z][a-z0-9_]*\.[a-z0-9_.]+\.v\d+$/)),
  mutant(
    'type-two-versions',
    TYPE,
    'An event type may have something behind its version.',
    acceptsType(/^[a-z][a-z0-9_]*\.v\d+\./),
  ),
  mutant('type-wildcard', TYPE, 'A wildcard is accepted in an event type.', acceptsType(/\*/)),
  mutant('type-digits', TYPE, 'Digits beyond ASCII are accepted in a version.', acceptsType(/^[a-z_]+\.v\p{Nd}+$/u)),
  mutant(
    'type-leading-underscore',
    TYPE,
    'An event type may begin with an underscore.',
    acceptsType(/^_[a-z0-9_]*\.v\d+$/),
  ),
  mutant('type-leading-digit', TYPE, 'An event type may begin with a digit.', acceptsType(/^\d[a-z0-9_]*\.v\d+$/)),
  mutant(
    'type-any-when-new',
    NEW_TYPE,
    'The new type of an update is not judged in its form.',
    acceptsType(/^(?![a-z][a-z0-9_]*\.v(0|[1-9]\d*)$)/, 'updateEventSource'),
  ),
  mutant(
    'type-newline-when-new',
    NEW_TYPE,
    'A line feed at the end of a new type is accepted.',
    acceptsType(/^[a-z][a-z0-9_]*\.v(0|[1-9]\d*)\n$/, 'updateEventSource'),
  ),
  mutant('type-refuses-digits', TYPE, 'Digits are refused in the name of an event type.', refusesType(/\d.*\./)),
  mutant('type-refuses-one-letter', TYPE, 'A name of one letter is refused.', refusesType(/^.\./)),
  mutant(
    'type-refuses-long-version',
    NEW_TYPE,
    'A version beyond 32 bits is refused.',
    refusesType(/\.v\d{10,}$/, 'updateEventSource'),
  ),
  mutant('type-refuses-long-version-added', TYPE, 'A version beyond 64 bits is refused.', refusesType(/\.v\d{20,}$/)),
  mutant('type-refuses-version-10', TYPE, 'A version of two digits is refused.', refusesType(/\.v\d\d$/)),
];
