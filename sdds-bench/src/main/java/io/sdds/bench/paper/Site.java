package io.sdds.bench.paper;

import java.util.List;

/** Where experiments run. Use by one thread, but for {@link #close}. */
public interface Site extends AutoCloseable {
    /**
     * Where a cluster is, of so many bricks if the site can choose. One that was there before is gone, unless it has as many.
     *
     * @return addresses of coordinators or bricks, as {@code host:port}
     * @throws java.io.UncheckedIOException when it can't be started
     */
    List<String> cluster(int bricks) throws InterruptedException;

    /** What it is, in a few words. */
    String description();

    /** Ends what it started. Thread-safe. */
    @Override
    void close();

    /** A cluster that somebody else runs. */
    static Site at(List<String> addresses) {
        return new Site() {
            @Override
            public List<String> cluster(int bricks) {
                return addresses;
            }

            @Override
            public String description() {
                return "the cluster at " + String.join(",", addresses);
            }

            @Override
            public void close() {
                // not ours
            }
        };
    }
}
