package io.sdds.bench.paper;

import io.sdds.bench.load.LoadException;
import io.sdds.client.ClientSettings;
import io.sdds.client.SddsClient;
import java.util.List;

/** Provides clusters for experiments. For one thread, except {@link #close}. */
public interface Site extends AutoCloseable {
    /**
     * Provides a cluster of so many bricks, if the site can choose the number. Stops the previous cluster if it has
     * another number of bricks.
     *
     * @return addresses of coordinators or bricks, as {@code host:port}
     * @throws java.io.UncheckedIOException if the cluster cannot be started
     */
    List<String> cluster(int bricks) throws InterruptedException;

    /**
     * Provides a cluster with a brick for each of these capacity weights, if the site can choose them.
     *
     * @return addresses, as {@link #cluster(int)} returns them
     */
    List<String> cluster(List<Double> weights) throws InterruptedException;

    /**
     * Number of bricks that a cluster of the site has: the wanted number if the site can choose the number.
     *
     * @throws io.sdds.client.SddsException if the cluster does not answer
     */
    default List<Integer> sizes(List<Integer> wanted) {
        return wanted;
    }

    /** A short description of the site. */
    String description();

    /**
     * Checks that the site has started the bricks, because an experiment watches or kills them.
     *
     * @throws LoadException if the bricks belong to another owner
     */
    default void requireOwnBricks() {}

    /**
     * Kills a brick as kill -9 does, so that all its records are lost. This method and the next two need
     * {@linkplain #requireOwnBricks own bricks}.
     */
    void kill(String brick);

    /** Starts a killed brick again. The brick registers some time later, without records. */
    void restart(String brick);

    /** The processor time that a brick has used since its start, in nanoseconds. */
    long cpuNanos(String brick);

    /** Stops the cluster that the site has started. Thread-safe. */
    @Override
    void close();

    /** A site with an existing cluster. */
    static Site at(List<String> addresses) {
        return new Site() {
            @Override
            public List<String> cluster(int bricks) {
                return addresses;
            }

            @Override
            public List<String> cluster(List<Double> weights) {
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
                // the cluster belongs to another owner
            }
        };
    }
}
