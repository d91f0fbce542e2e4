/** Why a case says nothing about the implementation. */

/** The service lacks what a case needs, such as enough event types. That is no failure: the requirement is skipped. */
export class NotPossible extends Error {
  override name = 'NotPossible';
}

/** The case was broken off, by the service or by the user. Nothing can be said: the requirement is in error. */
export class BrokenOff extends Error {
  override name = 'BrokenOff';
}
