/** Kinds that report other errors of an invalid request. */
import { type Json, jsonOf, parentOf } from '../messages.ts';
import type { Handle } from '../mutation/operator.ts';
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
    return error;
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
  'a duplicate is reported at what holds it': reporting((errors) =>
    errors.map(atHolderOfDuplicate),
  ),
};
