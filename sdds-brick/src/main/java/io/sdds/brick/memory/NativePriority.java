package io.sdds.brick.memory;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Sets the priority of a thread by a system call of Linux, because Linux ignores the priorities of Java. */
final class NativePriority {
    private static final int PRIO_PROCESS = 0;
    private static final int THIS_THREAD = 0;

    /** A thread of this niceness gets a tenth of the processor time of an ordinary thread that competes with it. */
    private static final int NICE_LOW = 10;

    private NativePriority() {}

    /** Lets the calling thread give way to other threads from now on, on systems that can do so. */
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
