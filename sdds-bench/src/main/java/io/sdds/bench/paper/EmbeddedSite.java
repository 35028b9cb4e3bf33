package io.sdds.bench.paper;

import io.sdds.testkit.EmbeddedCluster;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Clusters in this JVM: up at once, but bricks and load share one heap. */
public final class EmbeddedSite implements Site {
    private @Nullable EmbeddedCluster cluster;
    private int bricks;

    @Override
    public synchronized List<String> cluster(int wanted) {
        EmbeddedCluster running = cluster;
        if (running == null || bricks != wanted) {
            close();
            running = EmbeddedCluster.start(wanted);
            cluster = running;
            bricks = wanted;
        }
        return List.of(running.address());
    }

    @Override
    public synchronized String description() {
        return bricks + (bricks == 1 ? " brick" : " bricks") + " in this JVM";
    }

    @Override
    public synchronized void close() {
        if (cluster != null) {
            cluster.close();
            cluster = null;
        }
    }
}
