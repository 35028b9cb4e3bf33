package io.sdds.sim.check;

import java.util.List;

/** Checks the counters of a cluster at rest. Each check returns its faults, one line each. */
public final class RestChecker {
    private RestChecker() {}

    /**
     * Request counters of a brick.
     *
     * @param offered requests that the brick has received
     * @param accepted requests that its stages have accepted
     * @param refused requests that its stages have refused
     */
    public record Requests(String brick, long offered, long accepted, long refused) {}

    /** Number of partitions in the image of a client. */
    public record Image(String client, int partitions) {}

    /** Outstanding requests and bytes in the window of a client. */
    public record WindowUse(String client, int requests, long bytes) {}

    /** Unread bytes by the count of a brick. */
    public record Unread(String brick, long bytes) {}

    /** Checks that each request was either accepted or refused: accepted + refused = offered. */
    public static List<String> requestsMiscounted(List<Requests> bricks) {
        return bricks.stream()
                .filter(brick -> brick.offered() != brick.accepted() + brick.refused())
                .map(brick -> brick.brick() + " was offered " + brick.offered() + " requests, accepted "
                        + brick.accepted() + " and refused " + brick.refused())
                .toList();
    }

    /** Checks that the image of a client that has scanned the whole table contains no merged partition. */
    public static List<String> imagesAhead(List<Image> images, int partitions) {
        return images.stream()
                .filter(image -> image.partitions() > partitions)
                .map(image ->
                        image.client() + " still believes in " + image.partitions() + " partitions of " + partitions)
                .toList();
    }

    /** Checks that the windows of clients are empty. */
    public static List<String> windowsTaken(List<WindowUse> windows) {
        return windows.stream()
                .filter(window -> window.requests() != 0 || window.bytes() != 0)
                .map(window -> window.client() + " counts " + window.requests() + " requests and " + window.bytes()
                        + " bytes against its window, and nothing is under way")
                .toList();
    }

    /** Checks that no brick counts unread bytes. */
    public static List<String> leftUnread(List<Unread> bricks) {
        return bricks.stream()
                .filter(brick -> brick.bytes() != 0)
                .map(brick -> brick.brick() + " counts " + brick.bytes() + " bytes as unread, and nothing is under way")
                .toList();
    }

    /** Checks that no more buffers are held than the few working buffers of stages; otherwise describes all buffers. */
    public static List<String> buffersHeld(List<String> held, int most) {
        return held.size() <= most ? List.of() : held;
    }
}
