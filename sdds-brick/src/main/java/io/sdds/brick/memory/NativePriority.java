package io.sdds.brick.memory;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The priority of a thread, by Linux' own call: Java's say nothing to its scheduler. */
final class NativePriority {
    private static final int PRIO_PROCESS = 0;
    private static final int THIS_THREAD = 0;

    /** A tenth of the processor time of an ordinary thread, where they compete. */
    private static final int NICE_LOW = 10;

    private NativePriority() {}

    /** From here on the calling thread gives way to others; where that can't be said it doesn't. */
    static void giveWay() {
        if (NativePages.SYSTEM == null) {
            return;
        }
        try {
            Linker linker = Linker.nativeLinker();
            MethodHandle setpriority = linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("setpriority"),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            int ignored = (int) setpriority.invokeExact(PRIO_PROCESS, THIS_THREAD, NICE_LOW);
        } catch (Throwable e) {
            throw new IllegalStateException("setpriority can't be called", e);
        }
    }
}
