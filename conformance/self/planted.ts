/** Errors that are planted in services: one at a time, each a small condition in the code of the service, by its name. */

/** Whether the service has this error. */
export type Planted = (error: string) => boolean;

export const NOTHING: Planted = () => false;

/** The names of all errors in the source of a service, in TypeScript or Python. */
export function errorsIn(source: string): string[] {
  return [...new Set([...source.matchAll(/\bplanted\(\s*['"]([\w-]+)['"]/g)].map(([, name]) => name!))];
}
