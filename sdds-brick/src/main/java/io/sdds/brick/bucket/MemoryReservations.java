package io.sdds.brick.bucket;

import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.ReservedSlots;
import io.sdds.brick.memory.SlotSpace;
import java.util.Arrays;

/**
 * Takes the memory of future puts beforehand, so that none of these puts can be refused. Puts are numbered and are made
 * in the order of their numbers. A number without a put takes no memory.
 */
public final class MemoryReservations implements ReservedSlots {

    /* Beside the slot of its record a put may need slots of the bucket's index. Their number is known only when the
     * put is made, because earlier puts change the bucket. So one pool holds the most slots that all future puts can
     * take together. For a hash partition that is a line of 64 bytes for each put. For a range partition that is,
     * for each put, a node of 1 KiB for each level of the tree and one more, and a separator as long as the longest
     * key. The pool is kept while there are future puts, because the next puts need it, too. */

    private static final int FIRST_PLACES = 64;
    private static final int SPARES_MAX = 256;
    private static final int SPARES_BYTES_MAX = 64 << 10;

    private final RecordStore store;
    private final SlotSpace slots;
    private final Bucket bucket;

    /** The slot of each put's record, by the low bits of the put's number; 0 if the number has no put. */
    private int[] records = new int[FIRST_PLACES];

    /** The size in bytes of each slot of {@link #records}. */
    private int[] bytes = new int[FIRST_PLACES];

    /** The slot for the key that each put may copy. */
    private int[] keys = new int[FIRST_PLACES];

    /**
     * Slots of one size that were not used, because the record was written in place. The next puts take them, because
     * puts in a row mostly have one size.
     */
    private final int[] spares = new int[SPARES_MAX];

    private int spareCount;
    private int spareBytes;

    private int[] index = new int[FIRST_PLACES];
    private int indexSlots;
    private int puts;

    /** Bytes of the longest key of all puts since there was last no future put. */
    private int longestKey;

    /** No memory is kept for numbers up to this one. */
    private long done;

    /** Index of the slots of the put under way. */
    private int current;

    private boolean underWay;

    /** Makes reservations for puts into a bucket of the store. */
    public MemoryReservations(RecordStore store, Bucket bucket) {
        this.store = store;
        this.slots = store.slots();
        this.bucket = bucket;
    }

    /** Begins with the number behind {@code number}. No memory may be kept. */
    public void begin(long number) {
        done = number;
    }

    /**
     * Takes the memory for a future put, whose number is above all numbers so far.
     *
     * @param reserved whether the last 5 % of the memory may be used
     * @return false if the memory is refused; none is kept for the put then
     */
    public boolean provide(long number, int keyLength, int valueLength, long expiry, boolean reserved) {
        makePlace(number);
        cancel(number);
        longestKey = Math.max(longestKey, keyLength);
        int place = place(number);
        int kept = bucket.keptKeyBytes(longestKey);
        bytes[place] = (int) store.slotBytesFor(keyLength, valueLength, expiry, isRanked());
        records[place] = takeRecord(bytes[place], keyLength, valueLength, expiry, reserved);
        if (records[place] == 0) {
            return false;
        }
        puts++;
        keys[place] = kept == 0 ? 0 : (int) store.reserve(kept, 0, RecordStore.NO_EXPIRY, false, reserved);
        if (kept > 0 && keys[place] == 0 || !provideIndex(reserved)) {
            cancel(number);
            keepIndex(bucket.indexSlots(puts));
            return false;
        }
        return true;
    }

    private int takeRecord(int slotBytes, int keyLength, int valueLength, long expiry, boolean reserved) {
        if (spareCount > 0 && slotBytes == spareBytes) {
            return spares[--spareCount];
        }
        int slot = (int) store.reserve(keyLength, valueLength, expiry, isRanked(), reserved);
        if (slot == 0 && spareCount > 0) {
            freeSpares();
            slot = (int) store.reserve(keyLength, valueLength, expiry, isRanked(), reserved);
        }
        return slot;
    }

    /** Whether the put writes a rank: a new record gets one, and a record that is replaced keeps its own. */
    private boolean isRanked() {
        return bucket.ranks().areGiven();
    }

    private boolean provideIndex(boolean reserved) {
        int wanted = bucket.indexSlots(puts);
        if (wanted > index.length) {
            index = Arrays.copyOf(index, 2 * wanted);
        }
        while (indexSlots < wanted) {
            int slot = (int) slots.allocate(bucket.indexSlotBytes(), reserved);
            if (slot == 0) {
                return false;
            }
            index[indexSlots++] = slot;
        }
        return true;
    }

    private void makePlace(long number) {
        while (number - done > records.length) {
            int[] oldRecords = records;
            int[] oldBytes = bytes;
            int[] oldKeys = keys;
            records = new int[2 * oldRecords.length];
            bytes = new int[2 * oldBytes.length];
            keys = new int[2 * oldKeys.length];
            for (long moved = done + 1; moved <= done + oldRecords.length; moved++) {
                int old = (int) moved & oldRecords.length - 1;
                records[place(moved)] = oldRecords[old];
                bytes[place(moved)] = oldBytes[old];
                keys[place(moved)] = oldKeys[old];
            }
        }
    }

    private int place(long number) {
        return (int) number & records.length - 1;
    }

    /** The put of a number, if there is one, is made now, and takes its memory from here. */
    public void use(long number) {
        current = place(number);
        underWay = records[current] != 0;
        slots.use(underWay ? this : null);
    }

    /** The put of a number has been made, as all puts before it. Frees the memory that the put did not need. */
    public void used(long number) {
        slots.use(null);
        if (underWay) {
            underWay = false;
            puts--;
            keepSpare(current);
            free(current);
        }
        done = number;
    }

    private void keepSpare(int place) {
        if (spareCount == 0) {
            spareBytes = bytes[place];
        }
        boolean wanted = records[place] != 0 && bytes[place] == spareBytes;
        if (wanted && spareCount < spares.length && (spareCount + 1) * (long) spareBytes <= SPARES_BYTES_MAX) {
            spares[spareCount++] = records[place];
            records[place] = 0;
        }
    }

    /** Cancels the puts of the numbers above {@code behind} up to {@code last}. */
    public void cut(long behind, long last) {
        for (long number = behind + 1; number <= last; number++) {
            cancel(number);
        }
    }

    private void cancel(long number) {
        if (records[place(number)] != 0) {
            puts--;
            free(place(number));
        }
    }

    private void free(int place) {
        freeSlot(records[place]);
        freeSlot(keys[place]);
        records[place] = 0;
        keys[place] = 0;
    }

    private void freeSlot(int slot) {
        if (slot != 0) {
            slots.free(Integer.toUnsignedLong(slot));
        }
    }

    /** Frees the memory that the future puts do not need. To be called when few puts are made. */
    public void releaseSpares() {
        freeSpares();
        keepIndex(bucket.indexSlots(puts));
        longestKey = puts == 0 ? 0 : longestKey;
    }

    private void freeSpares() {
        while (spareCount > 0) {
            freeSlot(spares[--spareCount]);
        }
    }

    private void keepIndex(int kept) {
        while (indexSlots > kept) {
            freeSlot(index[--indexSlots]);
        }
    }

    /** Cancels all future puts and frees their memory. */
    public void release() {
        for (int place = 0; place < records.length; place++) {
            free(place);
        }
        puts = 0;
        freeSpares();
        keepIndex(0);
    }

    @Override
    public long record(long slotBytes) {
        int slot = records[current];
        if (bytes[current] < slotBytes) {
            return 0; // a larger slot was taken for a record with a rank, and the bucket is not ranked any more
        }
        records[current] = 0;
        return Integer.toUnsignedLong(slot);
    }

    @Override
    public long key(long slotBytes) {
        int slot = keys[current];
        if (slot == 0 || slots.slotBytes(Integer.toUnsignedLong(slot)) < slotBytes) {
            return 0;
        }
        keys[current] = 0;
        return Integer.toUnsignedLong(slot);
    }

    @Override
    public long index(long slotBytes) {
        boolean fits = indexSlots > 0 && slotBytes == bucket.indexSlotBytes();
        return fits ? Integer.toUnsignedLong(index[--indexSlots]) : 0;
    }
}
