package io.sdds.brick.memory;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Maps anonymous memory by the system calls of Linux. Mapped memory costs nothing until it is touched, goes back to the
 * system at once when it is unmapped, and is made of huge pages where the kernel allows that.
 */
final class NativePages {

    private static final int PROT_READ_WRITE = 0x1 | 0x2;
    private static final int MAP_PRIVATE_ANONYMOUS = 0x02 | 0x20;
    private static final int MADV_HUGEPAGE = 14;
    private static final long MAP_FAILED = -1;
    private static final long HUGE_PAGE_BYTES = 2 << 20;

    /** The calls of this system; null where the calls can't be made. */
    static final @Nullable NativePages SYSTEM = open();

    private final MethodHandle mmap;
    private final MethodHandle munmap;
    private final MethodHandle madvise;

    private NativePages(Linker linker, SymbolLookup symbols) {
        mmap = linker.downcallHandle(
                symbols.findOrThrow("mmap"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_LONG));
        munmap = linker.downcallHandle(
                symbols.findOrThrow("munmap"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
        madvise = linker.downcallHandle(
                symbols.findOrThrow("madvise"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));
    }

    /** Finds the calls; null if the system is not 64-bit Linux, or native calls are not permitted. */
    private static @Nullable NativePages open() {
        if (!"Linux".equals(System.getProperty("os.name")) || ValueLayout.ADDRESS.byteSize() != Long.BYTES) {
            return null;
        }
        try {
            Linker linker = Linker.nativeLinker();
            return new NativePages(linker, linker.defaultLookup());
        } catch (IllegalCallerException | UnsupportedOperationException | java.util.NoSuchElementException e) {
            return null;
        }
    }

    /** Address of {@code bytes} of zeroed memory, or 0 if the system has none. Whole huge pages are aligned as such. */
    long map(long bytes) {
        if (bytes % HUGE_PAGE_BYTES != 0) {
            return mapAnywhere(bytes);
        }
        long address = mapAnywhere(bytes + HUGE_PAGE_BYTES);
        if (address == 0) {
            return 0;
        }
        long aligned = (address + HUGE_PAGE_BYTES - 1) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
        unmapUnlessEmpty(address, aligned - address);
        unmapUnlessEmpty(aligned + bytes, address + HUGE_PAGE_BYTES - aligned);
        adviseHuge(aligned, bytes);
        return aligned;
    }

    private long mapAnywhere(long bytes) {
        try {
            long address = (long) mmap.invokeExact(0L, bytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0L);
            return address == MAP_FAILED ? 0 : address;
        } catch (Throwable e) {
            throw unexpected("mmap", e);
        }
    }

    private void adviseHuge(long address, long bytes) {
        try {
            // If the kernel refuses, the memory has small pages.
            int ignored = (int) madvise.invokeExact(address, bytes, MADV_HUGEPAGE);
        } catch (Throwable e) {
            throw unexpected("madvise", e);
        }
    }

    private void unmapUnlessEmpty(long address, long bytes) {
        if (bytes > 0) {
            unmap(address, bytes);
        }
    }

    /** Gives memory back to the system. */
    void unmap(long address, long bytes) {
        try {
            int result = (int) munmap.invokeExact(address, bytes);
            if (result != 0) {
                throw new IllegalStateException("munmap refused " + bytes + " bytes at " + address);
            }
        } catch (IllegalStateException e) {
            throw e;
        } catch (Throwable e) {
            throw unexpected("munmap", e);
        }
    }

    private static IllegalStateException unexpected(String call, Throwable cause) {
        return new IllegalStateException(call + " can't be called", cause);
    }
}
