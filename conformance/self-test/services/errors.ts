/** Kinds that report other errors of an invalid request. */
import { type Json, jsonOf, parentOf, pathOf } from '../messages.ts';
import { changingResponse, type Handle } from '../mutation/operator.ts';
import { changingJson, type Group } from './kind.ts';

interface FieldError {
  code: string;
  pointer?: string;
  parameter?: string;
}

/** Reports other errors than the independent service does. */
function reporting(errorsOf: (errors: FieldError[], body: Json) => FieldError[]): Handle {
  return changingJson((name, value, request) => {
    if (name === 'errors') {
      return errorsOf(value as FieldError[], Object(jsonOf(request)) as Json);
    }
    return value;
  });
}

function atHolderOfDuplicate(error: FieldError): FieldError {
  if (error.code === 'duplicate' && error.pointer !== undefined) {
    return { ...error, pointer: parentOf(error.pointer) };
  }
  return error;
}

/** A member of the body, and a header that it adds. */
const MEMBER_OF_BODY = /^\/(\w+)(?:\/add\/(.*))?$/;

/** A header in a list of names, and the index. */
const NAME_IN_LIST = /^\/(\w+)\/remove\/(\d+)$/;

/** The first of two equal names of headers in a list: the independent service names the second. */
function firstOfTwoNames(error: FieldError, body: Json): FieldError {
  const { code, pointer = '' } = error;
  const [, member = '', index] = NAME_IN_LIST.exec(pointer) ?? [];
  if (code !== 'duplicate' || index === undefined) {
    return error;
  }
  const { remove } = body[member] as { remove: string[] };
  const names = remove.map((one) => String(one).toLowerCase());
  const first = names.indexOf(names[Number(index)] ?? '');
  return { ...error, pointer: `/${member}/remove/${first}` };
}

/** If a request breaks two rules at once, the one that the independent service does not report. */
function otherRightError(error: FieldError, body: Json): FieldError {
  const { code, pointer = '', parameter } = error;
  if (parameter === 'cursor' && code === 'repeated') {
    return { ...error, code: 'format' };
  }
  const [, member = '', header] = MEMBER_OF_BODY.exec(pointer) ?? [];
  const value = Object(body[member]) as Json;
  if (code === 'duplicate' && header !== undefined) {
    const first = firstInAnyCase(Object.keys(value['add'] as Json), header);
    return { ...error, pointer: pointer.slice(0, -header.length) + first };
  }
  if (member !== 'saml' && member !== 'oidc') {
    return firstOfTwoNames(error, body);
  }
  const { enabled = true, provider } = Object(body['oauth']) as Json;
  if (code === 'type' && provider !== undefined && enabled === true) {
    return { ...error, code: 'not_allowed_here' };
  }
  if (code === 'not_allowed_here' && value['enabled'] === undefined) {
    return { ...error, code: 'required', pointer: `${pointer}/enabled` };
  }
  return error;
}

/** The limits in bytes of texts that have one, by the name of the member. */
const BYTES: Readonly<Record<string, number>> = { description: 255, metadata: 4_096 };
/** Members whose texts have a pattern that no text below their least length fits. */
const PATTERNED = /\/(?:hostports\/\d+|match|type|\w+(?<!client)_ids?(?:\/\d+)?)$/;

/** The error of another keyword that the value breaks, too. */
function otherRuleOfValue(error: FieldError, body: Json): FieldError {
  const { code, pointer = '' } = error;
  if (code === 'too_short' && PATTERNED.test(pointer)) {
    return { ...error, code: 'format' };
  }
  const name = pointer.slice(1);
  const value = body[name];
  if (code !== 'too_many_bytes' || typeof value !== 'string') {
    return error;
  }
  const isLong = Array.from(value).length > (BYTES[name] ?? Infinity);
  return isLong ? { ...error, code: 'too_long' } : error;
}

/**
 * The members that a framework writes: the path of the request, and the beginning of a long name.
 */
const frameworkDetails = changingResponse((response, request) => {
  const json = Object(jsonOf(response)) as Json;
  if (response.headers['content-type']?.startsWith('application/problem+json') !== true) {
    return response;
  }
  const errors = json['errors'] as FieldError[] | undefined;
  const cut = errors?.map(({ parameter, ...error }) => {
    if (parameter === undefined) {
      return error;
    }
    return { ...error, parameter: parameter.slice(0, LONGEST_SHOWN) };
  });
  const path = pathOf(request);
  const hasInstance = PLAIN_PATH.test(path) && path.length <= LONGEST_INSTANCE;
  const instance = hasInstance ? path : undefined;
  return { ...response, body: JSON.stringify({ ...json, errors: cut, instance }) };
});

/** As the contract bounds them. */
const MOST_ERRORS = 100;
const LONGEST_SHOWN = 100;
const LONGEST_INSTANCE = 2_048;
const PLAIN_PATH = /^\/(?!\/)[\w./~-]*$/;

/** For clients of the older form of errors. */
const olderForm = changingResponse((response) => {
  if (response.headers['content-type']?.startsWith('application/problem+json') !== true) {
    return response;
  }
  const json = Object(jsonOf(response)) as Json;
  const { code, status, detail } = json;
  const older = { error_code: code, status_code: status, msg: detail, details: { hint: 'none' } };
  return { ...response, body: JSON.stringify({ ...json, ...older }) };
});

function firstInAnyCase(names: readonly string[], name: string): string {
  const lower = name.toLowerCase();
  return names.find((one) => one.toLowerCase() === lower) ?? name;
}

export const ERRORS: Group = {
  'only the first error': reporting((errors) => errors.slice(0, 1)),
  'only the last error': reporting((errors) => errors.slice(-1)),
  'the other one of two right errors': reporting((errors, body) =>
    errors.map((error) => otherRightError(error, body)),
  ),
  'the error of another rule that a value breaks': reporting((errors, body) =>
    errors.map((error) => otherRuleOfValue(error, body)),
  ),
  'all errors of a value that breaks several rules': reporting((errors, body) =>
    errors.flatMap((error) => [error, otherRuleOfValue(error, body)]).slice(0, MOST_ERRORS),
  ),
  'an instance, and long names cut': frameworkDetails,
  'problems for clients of the older form': olderForm,
  'a duplicate is reported at what holds it': reporting((errors) =>
    errors.map(atHolderOfDuplicate),
  ),
};
