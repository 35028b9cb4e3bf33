package io.sdds.core.netty;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** The processor time of the calling thread; the time of the clock on a JVM that does not measure it. */
final class ThreadTime {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final boolean IS_MEASURED =
            THREADS.isCurrentThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();

    private ThreadTime() {}

    static long nanos() {
        return IS_MEASURED ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }
}
