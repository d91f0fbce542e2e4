/** The errors of a value by its schema, with the codes and places of the table of field errors. */
import { BYTE_FORMAT } from '../../engine/contract/keywords.ts';
import type { Contract } from '../../engine/contract/load.ts';
import type { Parameter } from '../../engine/contract/operations.ts';
import { joinPointer, valueAt } from '../../engine/contract/pointers.ts';
import { type SchemaError, schemasOf } from '../../engine/contract/schemas.ts';
import { errorsBeside, isConditional, isEmptying } from './condition-errors.ts';
import { type ErrorRules, PROPERTIES, SECOND_ITEM } from './field-error-table.ts';
import { repeatsIn } from './repeats.ts';
import type { RequestError } from './request-error.ts';

/**
 * Every error of `body` by the schema at `pointer`. One wrong value may break several rules; a
 * service reports any of them.
 */
export function fieldErrorsOf(rules: ErrorRules, pointer: string, body: unknown): RequestError[] {
  const found: RequestError[] = [];
  for (const error of schemasOf(rules.contract).validate(pointer, body)) {
    found.push(...errorsFor(rules, error, body), ...errorsBeside(rules, pointer, error, body));
  }
  return found;
}

/** Decimal digits without a leading zero are a number. */
const DECIMAL = /^(0|[1-9]\d*)$/;

/** The errors of a parameter in a path or query. @param raw its text, decoded */
export function parameterErrors(
  { contract, table }: ErrorRules,
  parameter: Parameter,
  raw: string,
): RequestError[] {
  const validate = (value: unknown) =>
    schemasOf(contract).validate(`${parameter.pointer}/schema`, value);
  let errors = validate(DECIMAL.test(raw) ? Number(raw) : raw);
  // If the schema asks for a text, digits are a text.
  if (errors.some(({ keyword }) => keyword === 'type')) {
    errors = validate(raw);
  }
  return errors.map(({ keyword, pointer: clause }) => {
    const codes = table.keywords.get(keyword)?.codes;
    return { codes, parameter: parameter.name, in: parameter.in, clause };
  });
}

/** The ways in which a service may report one error of the schema. */
function errorsFor(rules: ErrorRules, error: SchemaError, body: unknown): RequestError[] {
  if (isConditional(error.pointer)) {
    return errorsOfBranch(rules, error, body) ?? [errorOfKeyword(rules, error, body)];
  }
  return [errorOfKeyword(rules, error, body)];
}

/**
 * The errors of a keyword below `then` or `else`; undefined if it is reported as anywhere else.
 *
 * If the branch is `{type: [object, 'null'], required: [enabled], properties: {enabled: {const:
 * false}}}`, null and false are both right: the error may be at the property, or at the object that
 * holds it. A property that is missing or null breaks the row "a property is missing or null", too.
 */
function errorsOfBranch(
  { contract, table }: ErrorRules,
  error: SchemaError,
  body: unknown,
): RequestError[] | undefined {
  const { path, keyword, name, pointer: clause } = error;
  const { required, notAllowed } = table;
  const here = joinPointer('', ...path);
  const stated = valueAt(contract.document, clause);
  if (keyword === 'required' && name !== undefined) {
    const property = joinPointer(here, name);
    const missing = { codes: required.codes.slice(0, 1), pointers: [property], clause };
    if (mustBeFalse(contract, clause, name)) {
      return [{ codes: notAllowed.codes, pointers: [here, property], clause }, missing];
    }
    return [missing];
  }
  const isNull = valueAt(body, here) === null;
  const nullErrors = isNull ? [{ codes: required.codes, pointers: [here], clause }] : [];
  if (keyword === 'const' && stated === false) {
    const holder = joinPointer('', ...path.slice(0, -1));
    return [{ codes: notAllowed.codes, pointers: [here, holder], clause }, ...nullErrors];
  }
  if (isEmptying(keyword, stated)) {
    return [{ codes: notAllowed.codes, pointers: [here], clause }];
  }
  if (keyword === 'type' && isNull) {
    return nullErrors;
  }
  return undefined;
}

/** Whether the schema beside this `required` lets the property be false only. */
function mustBeFalse(contract: Contract, required: string, name: string): boolean {
  const schema = required.slice(0, required.lastIndexOf('/'));
  const stated = joinPointer(`${schema}/properties`, name, 'const');
  return valueAt(contract.document, stated) === false;
}

/** The error with the codes and places of the row of its keyword. */
function errorOfKeyword(
  { contract, table }: ErrorRules,
  error: SchemaError,
  body: unknown,
): RequestError {
  const { path, name, pointer: clause } = error;
  const here = joinPointer('', ...path);
  const rule = table.keywords.get(keywordInTable(contract, error));
  const codes = rule?.codes;
  if (name !== undefined) {
    const property = joinPointer(here, name);
    const isOfProperty = rule !== undefined && PROPERTIES.includes(rule.place);
    // A rule on the names of properties may be reported at the object, too.
    return { codes, pointers: isOfProperty ? [property] : [here, property], clause };
  }
  if (rule?.place === SECOND_ITEM) {
    const list = valueAt(body, here) as unknown[];
    const repeats = repeatsIn(list).map((index) => joinPointer(here, index));
    return { codes, pointers: [here, ...repeats], clause };
  }
  return { codes, pointers: [here], clause };
}

/** The keyword of the row: a limit in bytes is stated as a `format`, too. */
function keywordInTable({ document }: Contract, { keyword, pointer }: SchemaError): string {
  if (keyword === 'format' && BYTE_FORMAT.test(String(valueAt(document, pointer)))) {
    return 'x-max-bytes';
  }
  return keyword;
}
