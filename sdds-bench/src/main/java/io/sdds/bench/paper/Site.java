package io.sdds.bench.paper;

import io.sdds.bench.load.LoadException;
import io.sdds.client.ClientSettings;
import io.sdds.client.SddsClient;
import java.util.List;

/** Where experiments run. Use by one thread, but for {@link #close}. */
public interface Site extends AutoCloseable {
    /**
     * Where a cluster is, of so many bricks if the site can choose. One that was there before is gone, unless it has as
     * many.
     *
     * @return addresses of coordinators or bricks, as {@code host:port}
     * @throws java.io.UncheckedIOException when it can't be started
     */
    List<String> cluster(int bricks) throws InterruptedException;

    /**
     * How many bricks its clusters can have: as many as are wanted, if the site can choose.
     *
     * @throws io.sdds.client.SddsException when nobody can be asked how many there are
     */
    default List<Integer> sizes(List<Integer> wanted) {
        return wanted;
    }

    /** What it is, in a few words. */
    String description();

    /**
     * For experiments that do more to bricks than to put load on them.
     *
     * @throws LoadException when they are not the site's own
     */
    default void requireOwnBricks() {}

    /**
     * Ends a brick at once, as a kill with -9 does: what it holds is gone, and it tells nobody. Only of
     * {@linkplain #requireOwnBricks own bricks}, as the next two.
     */
    void kill(String brick);

    /** Starts a brick again that was killed. It takes part some time later, and holds nothing. */
    void restart(String brick);

    /** The processor time that a brick has used since it began, in nanoseconds. */
    long cpuNanos(String brick);

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
            public List<Integer> sizes(List<Integer> wanted) {
                try (SddsClient client = SddsClient.connect(addresses, ClientSettings.defaults())) {
                    return List.of(client.status(false).bricks().size());
                }
            }

            @Override
            public String description() {
                return "the cluster at " + String.join(",", addresses);
            }

            @Override
            public void requireOwnBricks() {
                throw notOurs();
            }

            @Override
            public void kill(String brick) {
                throw notOurs();
            }

            @Override
            public void restart(String brick) {
                throw notOurs();
            }

            @Override
            public long cpuNanos(String brick) {
                throw notOurs();
            }

            private LoadException notOurs() {
                return new LoadException(
                        "this experiment watches and kills bricks, which shall be its own, not those of "
                                + description() + ": leave the address away");
            }

            @Override
            public void close() {
                // not ours
            }
        };
    }
}
