/**
 * Regular expressions in bodies (D22): they are compiled in slices, so that others are served in
 * between.
 *
 * express-openapi-validator checks a format in one piece, and also if the text is too long or the
 * list has too many items. Rejected: a thread for it, which takes 10 MB and a copy of RE2.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Contract, ContractError, type Operation } from '../../contract.ts';
import type { FieldError } from '../../domain/types.ts';
import { pointerTo } from '../../openapi/document.ts';
import { isRe2Syntax, RE2 } from '../../openapi/formats.ts';
import { type FindTexts, type PlacedText, TextsOfFormat } from '../../openapi/texts-of-format.ts';

/** @throws ContractError if the operation has expressions that it would not find */
export function expressionsOf({ document }: Contract, operation: Operation): FindTexts {
  const { id, requestBody, parameters } = operation;
  const texts = new TextsOfFormat(document, RE2);
  const inParameters = parameters.some(({ schema }) => texts.placesIn(schema) > 0);
  const inBody = requestBody && texts.finderFor(requestBody.schema);
  if (inParameters || inBody?.missed) {
    const reason = `has the format ${RE2} in a parameter or a condition, which is not supported`;
    throw new ContractError(`openapi.yaml: ${id} ${reason}`);
  }
  return inBody?.find ?? (() => []);
}

/** UTF-16 code units of expressions that are compiled at once: about a millisecond. */
const SLICE = 1024;

export async function expressionErrors(found: readonly PlacedText[]): Promise<FieldError[]> {
  const verdicts = new Map<string, boolean>();
  const errors: FieldError[] = [];
  let compiled = 0;
  for (const { path, text } of found) {
    if (!verdicts.has(text)) {
      compiled += text.length;
      if (compiled > SLICE) {
        await nextSlice();
        compiled = text.length;
      }
      verdicts.set(text, isRe2Syntax(text));
    }
    if (verdicts.get(text) === false) {
      const detail = 'must be a regular expression in RE2 syntax';
      errors.push({ pointer: pointerTo(path), code: 'format', detail });
    }
  }
  return errors;
}

let lastSlice: Promise<unknown> = Promise.resolve();

/** A turn of the event loop in which nobody else begins a slice, however many requests wait. */
function nextSlice(): Promise<unknown> {
  lastSlice = lastSlice.then(() => nextTurn());
  return lastSlice;
}
