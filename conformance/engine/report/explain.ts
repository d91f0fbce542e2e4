/** One finding as Markdown that is ready for an issue tracker. */
import type { ReportedExchange } from '../run/result.ts';
import { code, fence, inline } from './markdown-text.ts';
import type { Group } from './overview.ts';
import { bodyInShort, ellipsis, oneLine, withShortValues } from './text.ts';
import { clauseLine, extentOf, notesOfFinding, placesInShort } from './words.ts';

/** In UTF-16 code units. */
const LONGEST = { message: 6_000, script: 20_000, bodyOfStep: 300 };

/** The contract, the smallest request, the response, and a script. */
export function explain({ title, finding, failure, example }: Group): string {
  const paragraphs = [`## ${inline(title)}`];
  if (finding !== undefined) {
    paragraphs.push(`${code(finding.id)} (${extentOf(finding)})`);
    const places = placesInShort(finding, Infinity);
    if (places !== '') {
      paragraphs.push(inline(places));
    }
    paragraphs.push(...notesOfFinding(finding).map(inline));
    paragraphs.push(...(finding.notes ?? []).map((note) => `- ${inline(note)}`));
  }
  if (example !== undefined) {
    const { sentence, clause } = example;
    const place = `${code(clauseLine(example))} ${code(clause.pointer)}`;
    paragraphs.push('### What the contract says', inline(sentence), place);
  }
  if (failure !== undefined) {
    const { message, violations = [], exchanges, curl } = failure;
    const wrong = violations.length > 1 ? violations.map((one) => one.message) : [message];
    paragraphs.push('### What is wrong');
    paragraphs.push(wrong.map((one) => `- ${inline(withShortValues(one))}`).join('\n'));
    const [last, ...before] = exchanges.toReversed();
    if (before.length > 0) {
      paragraphs.push('### Steps before it', stepList(before.toReversed()));
    }
    if (last !== undefined) {
      paragraphs.push('### Request', fence(requestText(last), LONGEST.message, 'http'));
      paragraphs.push('### Response', fence(responseText(last), LONGEST.message, 'http'));
    }
    paragraphs.push('### Show it with curl', fence(curl, LONGEST.script, 'sh'));
  }
  return `${paragraphs.join('\n\n')}\n`;
}

function stepList(steps: readonly ReportedExchange[]): string {
  const lines = steps.map(({ request, response }, index) => {
    const outcome = response === null ? 'no response' : response.status;
    const step = withShortValues(`${request.method} ${request.url} → ${outcome}`);
    const sent = request.body ? `, sent ${code(bodyOfStep(request.body))}` : '';
    return `${index + 1}. ${code(step)}${sent}`;
  });
  return lines.join('\n');
}

function bodyOfStep(body: string): string {
  return ellipsis(oneLine(withShortValues(body)), LONGEST.bodyOfStep);
}

function requestText({ request }: ReportedExchange): string {
  return messageText(`${request.method} ${request.url}`, request.headers, request.body ?? '');
}

function responseText({ response, error }: ReportedExchange): string {
  if (response === null) {
    return `no response: ${error}`;
  }
  return messageText(String(response.status), response.headers, response.body);
}

function messageText(
  startLine: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): string {
  const lines = [withShortValues(startLine)];
  for (const [name, value] of Object.entries(headers)) {
    lines.push(withShortValues(`${name}: ${value}`));
  }
  if (body !== '') {
    lines.push('', bodyInShort(body));
  }
  return lines.join('\n');
}
