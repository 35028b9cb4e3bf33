package io.sdds.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.netty.NettyTransport;
import io.sdds.core.node.Env;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class PausesTest {
    private static final long MILLI = 1_000_000;

    @Test
    void shorterPausesEndFirstAndNoneEndsEarlyUnlessLongerThanTheLongest() throws Exception {
        List<String> ended = new ArrayList<>();
        CountDownLatch all = new CountDownLatch(4);
        try (NettyTransport transport = new NettyTransport(1, "pauses")) {
            Env env = transport.envs().get(0);
            env.execute(() -> {
                Pauses pauses = new Pauses(env, 20);
                long start = env.nowNanos();
                class Task implements Runnable {
                    private final String name;
                    private final long nanos;

                    Task(String name, long nanos) {
                        this.name = name;
                        this.nanos = nanos;
                    }

                    @Override
                    public void run() {
                        ended.add(env.nowNanos() - start < nanos ? name + " too early" : name);
                        all.countDown();
                    }
                }
                pauses.later(1_000 * MILLI, new Task("bounded", 20 * MILLI));
                pauses.later(5 * MILLI, new Task("second", 5 * MILLI));
                pauses.later(2 * MILLI, () -> {
                    new Task("first", 2 * MILLI).run();
                    pauses.later(6 * MILLI, new Task("begun by another", 8 * MILLI));
                });
            });
            all.await();
        }
        assertThat(ended).containsExactly("first", "second", "begun by another", "bounded");
    }
}
