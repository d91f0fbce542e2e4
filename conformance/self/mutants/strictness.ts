/** What is refused by the contract is taken for something that is allowed. */
import type { Mutant } from '../mutant.ts';
import { mutantsOf } from './define.ts';
import { hasNameTwice } from '../independent/names-once.ts';
import type { ServiceRequest } from '../service.ts';
import { before, keeping, keepingModule, type Mutate, taking } from '../mutate/mutate.ts';
import { type OperationId } from '../mutate/operation.ts';
import { isObject, type Json, jsonIn, sending, withParameter } from '../mutate/request.ts';
import { eachText, without } from '../mutate/values.ts';

const mutant = mutantsOf('strictness', 'core');

function converting(name: string, convert: (value: any) => unknown): Mutate {
  return keeping((body) => (name in body ? { ...body, [name]: convert(body[name]) } : body));
}

const enabled = (convert: (value: unknown) => unknown) => (module: Json) =>
  'enabled' in module ? { ...module, enabled: convert(module['enabled']) } : module;

function reading(operation: OperationId, repair: (text: string) => string): Mutate {
  return before(operation, (request) => {
    const text = request.body.toString();
    return isJson(text) ? request : { ...request, body: Buffer.from(repair(text)) };
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Texts with a name twice go on as something else: what a parser made of them, or another body. */
function reparsing(operation: OperationId, repair: (request: ServiceRequest, json: unknown) => ServiceRequest): Mutate {
  return before(operation, (request) => {
    const json = jsonIn(request);
    return json !== undefined && hasNameTwice(request.body.toString()) ? repair(request, json) : request;
  });
}

function limit(change: (value: string) => string | undefined): Mutate {
  return before('listEventSources', (request) => withParameter(request, 'limit', change));
}

export const strictness: Mutant[] = [
  mutant(
    'enabled-truthy',
    'Whatever is not false, null, 0 or empty is taken for true.',
    keepingModule('mutual_tls', enabled(Boolean)),
  ),
  mutant(
    'description-from-number',
    'A number is taken for a text.',
    converting('description', (value) => (typeof value === 'number' ? String(value) : value)),
  ),
  mutant(
    'hostports-scalar',
    'One hostport is taken for a list of one.',
    converting('hostports', (value) => (typeof value === 'string' ? ['one.example:443'] : value)),
  ),
  mutant(
    'hostports-map',
    'An object is taken for a list of hostports, as PHP does.',
    converting('hostports', (value) => (isObject(value) ? [] : value)),
  ),
  mutant(
    'body-list-of-one',
    'A list of one body is taken for the body.',
    taking('createEventSource', (body) => (Array.isArray(body) && body.length === 1 ? body[0] : body)),
  ),
  mutant(
    'drops-proto',
    'A property `__proto__` is dropped.',
    keeping((body) => without(body, '__proto__')),
  ),
  mutant(
    'names-any-case',
    'Names of properties are accepted in any case.',
    taking('createEventSource', (body) =>
      isObject(body) && ('type' in body || 'Type' in body || 'TYPE' in body)
        ? { type: body['type'] ?? body['Type'] ?? body['TYPE'] }
        : body,
    ),
  ),
  mutant(
    'limit-exponent',
    '`limit=1e1` is taken for 10.',
    limit((value) => (/^\d+e\+?\d+$/i.test(value) ? '10' : value)),
  ),
  mutant(
    'limit-prefix',
    '`limit=5a` is taken for 5.',
    limit((value) => (/^[1-9]\d?\D/.test(value) ? String(Number.parseInt(value, 10)) : value)),
  ),
  mutant(
    'limit-plus',
    '`limit=+1` is taken for 1.',
    limit((value) => value.replace(/^\+(?=\d)/, '')),
  ),
  mutant(
    'limit-digits',
    'Digits beyond ASCII are accepted in `limit`.',
    limit((value) => (/^\p{Nd}+$/u.test(value) && !/^\d+$/.test(value) ? '5' : value)),
  ),
  mutant(
    'json-two-values',
    'What follows a first JSON value is ignored.',
    reading('updateEventSource', (text) => (text.startsWith('{}') ? '{}' : text)),
  ),
  mutant(
    'names-twice-escaped',
    'Names are compared before their escapes are decoded.',
    reparsing('createEventSource', (request, json) =>
      /\\u00/.test(request.body.toString()) ? sending(request, json) : request,
    ),
  ),
  mutant(
    'texts-trimmed',
    'White space around every text is dropped before it is checked.',
    taking('createEventSource', (body) => eachText(body, (text) => text.trim())),
  ),
];
