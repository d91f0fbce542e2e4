/** Forms of texts that are judged too leniently, or too strictly. */
import { type Fault, faultsOf } from '../fault.ts';
import { invalid } from '../plant/answer.ts';
import { instead, keepingList, type Plant, remembering, taking } from '../plant/plant.ts';
import { isObject, jsonIn } from '../plant/request.ts';

const fault = faultsOf('formats');

const HOSTPORT = 'createEdge.body.hostports.*.pattern';
const AUTHORITY = 'createEdge.body.mutual_tls.certificate_authority_ids.*.pattern';
const TYPE = 'createEventSource.body.type.pattern';
const NEW_TYPE = 'updateEventSource.body.type.pattern';

const HOST = String.raw`(\*\.)?[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*`;

/** Hostports that this expression allows are accepted, too. */
function acceptsHostport(pattern: RegExp): Plant {
  return keepingList('hostports', (items) =>
    items.map((item, index) =>
      typeof item === 'string' && pattern.test(item) ? `accepted${index}.example:443` : item,
    ),
  );
}

function refusesHostport(pattern: RegExp): Plant {
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
): Plant {
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
): Plant {
  return instead(operation, async (next, request) => {
    const body = jsonIn(request);
    return isObject(body) && typeof body['type'] === 'string' && pattern.test(body['type'])
      ? invalid('/type', 'format')
      : next(request);
  });
}

function authorityIds(change: (id: string) => string): Plant {
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

export const formats: Fault[] = [
  fault('hostport-port-0', HOSTPORT, 'Port 0 is accepted.', acceptsHostport(new RegExp(`^${HOST}:0$`))),
  fault(
    'hostport-port-65536',
    HOSTPORT,
    'Ports beyond 65535 are accepted.',
    acceptsHostport(new RegExp(`^${HOST}:(6553[6-9]|[7-9]\\d{4})$`)),
  ),
  fault(
    'hostport-leading-zero',
    HOSTPORT,
    'A port may begin with zeros.',
    acceptsHostport(new RegExp(`^${HOST}:0+[1-9]\\d*$`)),
  ),
  fault('hostport-port-name', HOSTPORT, 'A port may be a word.', acceptsHostport(new RegExp(`^${HOST}:[a-z]+$`))),
  fault('hostport-no-port', HOSTPORT, 'The port may be left out.', acceptsHostport(new RegExp(`^${HOST}:?$`))),
  fault('hostport-no-host', HOSTPORT, 'The host may be left out.', acceptsHostport(/^:\d+$/)),
  fault(
    'hostport-newline',
    HOSTPORT,
    'A line feed at the end of a hostport is accepted.',
    acceptsHostport(new RegExp(`^${HOST}:[1-9]\\d{0,3}\\n$`)),
  ),
  fault(
    'hostport-multiline',
    HOSTPORT,
    'One line of several that is a hostport is enough.',
    acceptsHostport(new RegExp(`^[^]*(^|\\n)${HOST}:\\d+(\\n[^]*)?$`, 'm')),
  ),
  fault(
    'hostport-underscore',
    HOSTPORT,
    'A host may have underscores.',
    acceptsHostport(/^[A-Za-z0-9.-]*_[A-Za-z0-9._-]*:[1-9]\d*$/),
  ),
  fault('hostport-scheme', HOSTPORT, 'A hostport may begin with a scheme.', acceptsHostport(/^https?:\/\/[^/]+$/)),
  fault(
    'hostport-unanchored',
    HOSTPORT,
    'A hostport may have something behind it.',
    acceptsHostport(new RegExp(`^${HOST}:[1-9]\\d{0,3}[^\\d].*$`, 's')),
  ),
  fault(
    'hostport-trailing-dot',
    HOSTPORT,
    'A host may end with a dot.',
    acceptsHostport(/^[A-Za-z0-9.-]+\.:[1-9]\d*$/),
  ),
  fault(
    'hostport-label-64',
    HOSTPORT,
    'A label of a host may have 64 characters.',
    acceptsHostport(/^(?=.*[A-Za-z0-9]{64})[A-Za-z0-9.]+:[1-9]\d*$/),
  ),
  fault(
    'hostport-wildcard-anywhere',
    HOSTPORT,
    'A wildcard may stand anywhere in a host.',
    acceptsHostport(/^[A-Za-z0-9.-]+\*[A-Za-z0-9.-]*:[1-9]\d*$/),
  ),
  fault('hostport-wildcard-alone', HOSTPORT, 'A wildcard alone is accepted as a host.', acceptsHostport(/^\*:\d+$/)),
  fault(
    'hostport-hyphen',
    HOSTPORT,
    'A label may begin or end with a hyphen.',
    acceptsHostport(/^(-[a-z.-]+|[a-z]+-\.[a-z]+):[1-9]\d*$/),
  ),
  fault('hostport-refuses-wildcard', HOSTPORT, 'A wildcard is refused.', refusesHostport(/^\*\./)),
  fault('hostport-refuses-upper-case', HOSTPORT, 'Upper case is refused in a host.', refusesHostport(/[A-Z]/)),
  fault('hostport-refuses-one-label', HOSTPORT, 'A host of one label is refused.', refusesHostport(/^[^.]+$/)),
  fault('hostport-refuses-65535', HOSTPORT, 'Port 65535 is refused.', refusesHostport(/:65535$/)),
  fault('hostport-refuses-port-1', HOSTPORT, 'Ports of one digit are refused.', refusesHostport(/:\d$/)),
  fault('hostport-refuses-ip', HOSTPORT, 'An IPv4 address is refused.', refusesHostport(/^\d+\.\d+\.\d+\.\d+:/)),
  fault('hostport-refuses-double-hyphen', HOSTPORT, 'Two hyphens in a label are refused.', refusesHostport(/--/)),
  fault(
    'hostport-refuses-label-63',
    HOSTPORT,
    'A label of 63 characters is refused.',
    refusesHostport(/[A-Za-z0-9]{63}/),
  ),
  fault('hostport-refuses-digits', HOSTPORT, 'A label of digits is refused.', refusesHostport(/(^|\.)\d+:/)),
  fault(
    'authority-newline',
    AUTHORITY,
    'A line feed at the end of an id is accepted.',
    authorityIds((id) => id.replace(/\n$/, '')),
  ),
  fault(
    'authority-dot',
    AUTHORITY,
    'A dot is accepted in an id.',
    authorityIds((id) => id.replaceAll('.', '_')),
  ),
  fault(
    'authority-unicode',
    AUTHORITY,
    'Letters beyond ASCII are accepted in an id.',
    authorityIds((id) => id.replaceAll(/\p{L}/gu, 'a')),
  ),
  fault(
    'authority-decoded',
    AUTHORITY,
    'Percent-escapes are accepted in an id.',
    authorityIds((id) => id.replaceAll(/%[0-9a-f]{2}/gi, '_')),
  ),
  fault(
    'authority-trimmed',
    AUTHORITY,
    'White space around an id is dropped.',
    authorityIds((id) => id.trim()),
  ),
  fault(
    'type-upper-case',
    TYPE,
    'Upper case is accepted in an event type.',
    acceptsType(/^[A-Za-z][A-Za-z0-9_]*\.v(0|[1-9]\d*)$/),
  ),
  fault('type-leading-zero', TYPE, 'A version may begin with zeros.', acceptsType(/^[a-z][a-z0-9_]*\.v0\d+$/)),
  fault(
    'type-newline',
    TYPE,
    'A line feed at the end of an event type is accepted.',
    acceptsType(/^[a-z][a-z0-9_]*\.v(0|[1-9]\d*)\n$/),
  ),
  fault(
    'type-hyphen',
    TYPE,
    'A hyphen is accepted in an event type.',
    acceptsType(/^[a-z][a-z0-9_]*-[a-z0-9_-]*\.v(0|[1-9]\d*)$/),
  ),
  fault('type-no-version', TYPE, 'The version may be left out.', acceptsType(/^[a-z][a-z0-9_]*$/)),
  fault('type-two-names', TYPE, 'A name may have dots.', acceptsType(/^[a-z][a-z0-9_]*\.[a-z0-9_.]+\.v\d+$/)),
  fault(
    'type-two-versions',
    TYPE,
    'An event type may have something behind its version.',
    acceptsType(/^[a-z][a-z0-9_]*\.v\d+\./),
  ),
  fault('type-wildcard', TYPE, 'A wildcard is accepted in an event type.', acceptsType(/\*/)),
  fault('type-digits', TYPE, 'Digits beyond ASCII are accepted in a version.', acceptsType(/^[a-z_]+\.v\p{Nd}+$/u)),
  fault(
    'type-leading-underscore',
    TYPE,
    'An event type may begin with an underscore.',
    acceptsType(/^_[a-z0-9_]*\.v\d+$/),
  ),
  fault('type-leading-digit', TYPE, 'An event type may begin with a digit.', acceptsType(/^\d[a-z0-9_]*\.v\d+$/)),
  fault(
    'type-any-when-new',
    NEW_TYPE,
    'The new type of an update is not judged in its form.',
    acceptsType(/^(?![a-z][a-z0-9_]*\.v(0|[1-9]\d*)$)/, 'updateEventSource'),
  ),
  fault(
    'type-newline-when-new',
    NEW_TYPE,
    'A line feed at the end of a new type is accepted.',
    acceptsType(/^[a-z][a-z0-9_]*\.v(0|[1-9]\d*)\n$/, 'updateEventSource'),
  ),
  fault('type-refuses-digits', TYPE, 'Digits are refused in the name of an event type.', refusesType(/\d.*\./)),
  fault('type-refuses-one-letter', TYPE, 'A name of one letter is refused.', refusesType(/^.\./)),
  fault(
    'type-refuses-long-version',
    NEW_TYPE,
    'A version beyond 32 bits is refused.',
    refusesType(/\.v\d{10,}$/, 'updateEventSource'),
  ),
  fault('type-refuses-long-version-added', TYPE, 'A version beyond 64 bits is refused.', refusesType(/\.v\d{20,}$/)),
  fault('type-refuses-version-10', TYPE, 'A version of two digits is refused.', refusesType(/\.v\d\d$/)),
];
