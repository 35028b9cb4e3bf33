package io.sdds.testkit.check;

import java.util.List;

/** What the figures of a cluster must be while nothing is under way: each check gives what is wrong, in lines. */
public final class RestChecker {
    private RestChecker() {}

    /**
     * The requests of a brick.
     *
     * @param offered that have come to it
     * @param accepted by its stages
     * @param refused by its stages
     */
    public record Requests(String brick, long offered, long accepted, long refused) {}

    /** How many partitions a client believes that the table has. */
    public record Image(String client, int partitions) {}

    /** What a client counts as under way. */
    public record WindowUse(String client, int requests, long bytes) {}

    /** What a brick counts as unread. */
    public record Unread(String brick, long bytes) {}

    /** Each request was either accepted or refused: accepted + refused = offered. */
    public static List<String> requestsMiscounted(List<Requests> bricks) {
        return bricks.stream()
                .filter(brick -> brick.offered() != brick.accepted() + brick.refused())
                .map(brick -> brick.brick() + " was offered " + brick.offered() + " requests, accepted "
                        + brick.accepted() + " and refused " + brick.refused())
                .toList();
    }

    /** No client that has scanned the whole table believes in partitions that had been merged away by then. */
    public static List<String> imagesAhead(List<Image> images, int partitions) {
        return images.stream()
                .filter(image -> image.partitions() > partitions)
                .map(image ->
                        image.client() + " still believes in " + image.partitions() + " partitions of " + partitions)
                .toList();
    }

    /** Nothing of a client's window is taken. */
    public static List<String> windowsTaken(List<WindowUse> windows) {
        return windows.stream()
                .filter(window -> window.requests() != 0 || window.bytes() != 0)
                .map(window -> window.client() + " counts " + window.requests() + " requests and " + window.bytes()
                        + " bytes against its window, and nothing is under way")
                .toList();
    }

    /** No brick counts anything as left unread by the other ends of its links. */
    public static List<String> leftUnread(List<Unread> bricks) {
        return bricks.stream()
                .filter(brick -> brick.bytes() != 0)
                .map(brick -> brick.brick() + " counts " + brick.bytes() + " bytes as unread, and nothing is under way")
                .toList();
    }

    /** Nobody holds more buffers than the few that stages keep to work in; else all of them, in words. */
    public static List<String> buffersHeld(List<String> held, int most) {
        return held.size() <= most ? List.of() : held;
    }
}
