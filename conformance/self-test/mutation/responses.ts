/** Mutants that show other statuses, headers and fields, or the response to another request. */
import type { Operation, Response } from '../../engine/contract/operations.ts';
import { isObject } from '../../engine/contract/pointers.ts';
import { jsonOf, succeeded, withHeaders } from '../messages.ts';
import type { ServiceResponse } from '../service.ts';
import {
  changingResponse,
  type Handle,
  isWrite,
  type Operator,
  type OperationFilter,
  type Operators,
  perField,
  perOperation,
  perPlace,
  perRow,
  type Place,
  repeatingSuccess,
} from './operator.ts';
import { canBeCaused, type Field, hasType, isFreeText, isProperty } from './subject.ts';
import { altered, DROP, editAt, onList, onText } from './values.ts';

type Change = (response: ServiceResponse) => ServiceResponse;

/** Changes the responses with a documented status. @param status such as `200` or `4XX` */
function onStatus(status: string, change: Change): Handle {
  const pattern = new RegExp(`^${status.replaceAll(/x/gi, '.')}$`);
  return changingResponse((response) => {
    if (pattern.test(String(response.status))) {
      return change(response);
    }
    return response;
  });
}

type FieldTest = (field: Field) => boolean;

/** The value to show in place of a value of a response. */
type Edit = (value: any, field: Field) => unknown;

type PathOf = (path: readonly string[]) => readonly string[];

/**
 * Edits a value in responses, for each field that `fits`.
 * @param make called once for each service @param pathOf the path of the edited value; by default,
 * that of the field
 */
const perShown = (fits: FieldTest, make: () => Edit, pathOf: PathOf = (path) => path): Operator =>
  perField('responseFields', fits, (field) => {
    const edit = make();
    const path = pathOf(field.path);
    return onStatus(field.status ?? '', (response) => {
      const json = jsonOf(response);
      if (json === undefined) {
        return response;
      }
      const edited = editAt(json, path, (value) => edit(value, field));
      return { ...response, body: JSON.stringify(edited) };
    });
  });

/** Shows the first value always. */
function constant(): Edit {
  let first: { value: unknown } | undefined;
  return (value) => {
    first ??= { value };
    return first.value;
  };
}

/** Shows each value one response late. */
function stale(): Edit {
  let last: { value: unknown } | undefined;
  return (value) => {
    const shown = last ? last.value : value;
    last = { value };
    return shown;
  };
}

const holderOf: PathOf = (path) => path.slice(0, -1);

function kindOf(value: unknown): string {
  if (value === null) {
    return 'null';
  }
  return Array.isArray(value) ? 'list' : typeof value;
}

/** The object in which the field has the value of the next property of the same type. */
function swapped(holder: unknown, { path }: Field): unknown {
  const name = path.at(-1);
  if (name === undefined || !isObject(holder) || !(name in holder)) {
    return holder;
  }
  const names = Object.keys(holder);
  const index = names.indexOf(name);
  const others = [...names.slice(index + 1), ...names.slice(0, index)];
  const kind = kindOf(holder[name]);
  const next = others.map((other) => holder[other]).find((value) => kindOf(value) === kind);
  if (next === undefined) {
    return holder;
  }
  return { ...holder, [name]: next };
}

const isRequired: FieldTest = (field) => isProperty(field) && field.required;
const isText: FieldTest = (field) => hasType(field, 'string');
const isList: FieldTest = (field) => hasType(field, 'array');
const isScalar: FieldTest = (field) => isProperty(field) && !hasType(field, 'object');
const isScalarText: FieldTest = (field) => isScalar(field) && isText(field);
const isPlain: FieldTest = (field) => hasType(field, 'string', 'boolean', 'number', 'integer');
const canBeEmpty: FieldTest = (field) =>
  isProperty(field) && hasType(field, 'string', 'array', 'integer', 'number');

const retyped: Edit = (value) => (typeof value === 'string' ? { value } : JSON.stringify(value));

const emptied: Edit = (value) => {
  if (typeof value === 'number') {
    return 0;
  }
  if (typeof value === 'string') {
    return '';
  }
  return Array.isArray(value) ? [] : value;
};

/** A text without its last character; a URI or path without its last segment. */
function truncated(text: string): string {
  const hasSegments = /^(https?:|\/)/.test(text);
  return text.slice(0, hasSegments ? text.lastIndexOf('/') : -1);
}

function inOtherCase(text: string): string {
  const lower = text.toLowerCase();
  if (text === lower) {
    return text.toUpperCase();
  }
  return lower;
}

/** Spaces, the tilde of JSON Pointers, and what ASCII does not have. */
const ESCAPED = /[^!-}]/gu;

const escaped = (text: string): string =>
  text.replaceAll(ESCAPED, (character) => `%${character.codePointAt(0)}`);

interface FieldEdit {
  fits: FieldTest;
  edit: Edit;
}

const EDITS: Record<string, FieldEdit> = {
  drop: { fits: isRequired, edit: () => DROP },
  null: { fits: isProperty, edit: () => null },
  retype: { fits: isProperty, edit: retyped },
  empty: { fits: canBeEmpty, edit: emptied },
  alter: { fits: isPlain, edit: (value, { shape }) => altered(value, shape) },
  truncate: { fits: isFreeText, edit: onText(truncated) },
  'fold-case': { fits: isText, edit: onText(inOtherCase) },
  escape: { fits: isFreeText, edit: onText(escaped) },
  'lose-item': { fits: isList, edit: onList((items) => items.slice(0, -1)) },
  'repeat-item': { fits: isList, edit: onList((items) => [...items.slice(0, 1), ...items]) },
  'reverse-list': { fits: isList, edit: onList((items) => items.toReversed()) },
};

interface NamedChange {
  /** Added to the name of the mutant; empty for the only change of a response. */
  name: string;
  change: Change;
}

/** Changes documented responses with an exact status. */
function perResponse(changesOf: (response: Response) => NamedChange[]): Operator {
  const placesOf = (response: Response): Place[] => {
    const { status } = response;
    return changesOf(response).map(({ name, change }) => ({
      name: name === '' ? status : `${status}/${name}`,
      make: () => onStatus(status, change),
    }));
  };
  const isExact = ({ status }: Response) => canBeCaused(status) && !status.endsWith('XX');
  return perPlace(({ responses }) => Object.values(responses).filter(isExact).flatMap(placesOf));
}

const STATUSES = [200, 201, 202, 204, 206, 400, 404, 409, 500];

const otherStatuses = perResponse(({ status }) => {
  const others = STATUSES.filter((other) => String(other) !== status);
  return others.map((other) => ({
    name: String(other),
    change: (response) => withStatus(response, other),
  }));
});

/** The response with another status, in its problem document, too. */
export function withStatus(response: ServiceResponse, status: number): ServiceResponse {
  if (status === 204) {
    return { ...response, status, body: '' };
  }
  const json = jsonOf(response);
  const isProblem = isObject(json) && 'status' in json;
  if (isProblem) {
    return { ...response, status, body: JSON.stringify({ ...json, status }) };
  }
  return { ...response, status };
}

const hasContent = ({ content }: Response) => Object.keys(content).length > 0;

const withBody: Change = (response) => ({ ...response, extra: '{}' });

const withoutBody: Change = (response) => ({
  ...withHeaders(response, { 'content-type': undefined }),
  body: '',
});

const otherBody = perResponse((documented) => [
  { name: '', change: hasContent(documented) ? withoutBody : withBody },
]);

/** @param valueOf the other value of a header field; undefined removes the field */
const perHeader = (valueOf: (name: string) => string | undefined): Operator =>
  perResponse((documented) => {
    const names = Object.keys(documented.headers);
    if (hasContent(documented)) {
      names.push('content-type');
    }
    return names.map((name) => ({
      name,
      change: (response) => withHeaders(response, { [name.toLowerCase()]: valueOf(name) }),
    }));
  });

const otherHeader = (name: string): string =>
  name === 'content-type' ? 'text/html' : 'http://127.0.0.1/other';

const isRead: OperationFilter = (operation: Operation) => !isWrite(operation);

type ResponseTest = (response: ServiceResponse) => boolean;

/** Shows the first response to a target that `isKept`, in place of those that `isReplaced`. */
const remembering = (isKept: ResponseTest, isReplaced: ResponseTest): Operator =>
  perOperation(isRead, () => {
    const kept = new Map<string, ServiceResponse>();
    return changingResponse((response, { target }) => {
      if (isKept(response) && !kept.has(target)) {
        kept.set(target, response);
      }
      const first = kept.get(target);
      return first && isReplaced(response) ? first : response;
    });
  });

const showingOther = () =>
  repeatingSuccess(
    (response, { target }, lastSuccess) => succeeded(response) && lastSuccess.target !== target,
  );

export const responseOperators: Operators = {
  ...perRow(EDITS, ({ fits, edit }) => perShown(fits, () => edit)),
  swap: perShown(isScalar, () => swapped, holderOf),
  'stale-field': perShown(isScalar, stale),
  'constant-field': perShown(isScalarText, constant),
  status: otherStatuses,
  'other-body': otherBody,
  'drop-header': perHeader(() => undefined),
  'alter-header': perHeader(otherHeader),
  'foreign-response': perOperation(isRead, showingOther),
  'cached-response': remembering(succeeded, succeeded),
  'remembered-404': remembering(
    ({ status }) => status === 404,
    () => true,
  ),
};
