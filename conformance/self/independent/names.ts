/** The forms of names that stand both in paths and in bodies. */
import type { Form } from './check.ts';

export const RESOURCE_ID: Form = {
  shortest: 1,
  longest: 64,
  fits: (sent) => /^[\w-]+$/.test(sent),
  words: 'an identifier of ASCII letters, digits, hyphens and underscores',
};

export const EVENT_TYPE: Form = {
  shortest: 4,
  longest: 128,
  fits: (sent) => /^[a-z][a-z0-9_]*\.v(?:0|[1-9][0-9]*)$/.test(sent),
  words: 'an event type such as something_happened.v0',
};

export const WEBHOOK_PROVIDER: Form = {
  shortest: 1,
  longest: 64,
  fits: (sent) => /^[a-z0-9_]+$/.test(sent),
  words: 'a name of lower-case ASCII letters, digits and underscores',
};

/** No path can name a resource whose name cannot exist. */
export function isPossible(parameter: string, sent: string): boolean {
  const form = parameter === 'type' ? EVENT_TYPE : RESOURCE_ID;
  return sent.length >= form.shortest && sent.length <= form.longest && form.fits(sent);
}
