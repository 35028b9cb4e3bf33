package io.sdds.brick.memory;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Sets the priority of a thread by a system call of Linux, because Linux ignores the priorities of Java. */
final class NativePriority {
    /** A thread that is nicer by this gets a tenth of the processor time of another thread that competes with it. */
    private static final int NICER_BY = 10;

    private NativePriority() {}

    /** Lets the calling thread give way to other threads from now on, on systems that can do so. */
    static void giveWay() {
        if (NativePages.SYSTEM == null) {
            return;
        }
        try {
            Linker linker = Linker.nativeLinker();
            MethodHandle nice = linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("nice"),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            int ignored = (int) nice.invokeExact(NICER_BY);
        } catch (Throwable e) {
            throw new IllegalStateException("nice can't be called", e);
        }
    }
}
