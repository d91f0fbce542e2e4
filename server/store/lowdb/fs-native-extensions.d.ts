declare module 'fs-native-extensions' {
  /** Takes an exclusive lock on the whole file; false when another process has one. */
  export function tryLock(fd: number): boolean;
}
