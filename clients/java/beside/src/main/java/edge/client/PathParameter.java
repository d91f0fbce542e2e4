package edge.client;

/** Checks the values that a call puts into the path of its request. */
public final class PathParameter {
  private PathParameter() {}

  /**
   * The value as a path segment. An empty value, "." and ".." would reach another resource: the
   * deletion of the route ".." would delete its edge. So nothing is sent with a value that the
   * contract does not allow.
   *
   * @throws IllegalArgumentException if the value does not match the pattern of the contract
   */
  public static String checked(String name, String value, String pattern) {
    if (value == null || !value.matches(pattern)) {
      throw new IllegalArgumentException(
          "path parameter " + name + " must match " + pattern + ", not '" + value + "': nothing was sent");
    }
    return ApiClient.urlEncode(value);
  }
}
