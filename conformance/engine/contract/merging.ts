/** Changes whose objects are merged with those that are there. */

/** RFC 7396. */
const MERGE_PATCH = /^application\/merge-patch\+json\s*(;|$)/i;

/** As in "Members are merged." */
const IS_MERGED = /\b(is|are|get|gets|will be) merged\b/i;

/** Whether a change of this media type merges a member with these descriptions. */
export function mergesMember(mediaType: string, descriptions: readonly string[]): boolean {
  return MERGE_PATCH.test(mediaType) || descriptions.some((text) => IS_MERGED.test(text));
}
