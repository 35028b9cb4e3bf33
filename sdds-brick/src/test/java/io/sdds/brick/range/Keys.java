package io.sdds.brick.range;

import java.util.Arrays;
import java.util.Random;

/** Kinds of keys that are hard for a tree. Each kind is hard for another part of the tree. */
enum Keys {
    /** Keys of random bytes and of any small length. */
    RANDOM {
        @Override
        byte[] key(Random random, int keys) {
            byte[] key = new byte[1 + random.nextInt(12)];
            new Random(random.nextInt(keys)).nextBytes(key);
            return key;
        }
    },
    /** Keys of few different bytes: many keys are the beginning of other keys. */
    NESTED {
        @Override
        byte[] key(Random random, int keys) {
            byte[] key = new byte[1 + random.nextInt(24)];
            for (int i = 0; i < key.length; i++) {
                key[i] = (byte) (random.nextInt(8) == 0 ? -1 : 0);
            }
            return key;
        }
    },
    /** Keys of zeros only, or of 0xFF only, of all lengths. */
    MONOTONOUS {
        @Override
        byte[] key(Random random, int keys) {
            byte[] key = new byte[1 + random.nextInt(Math.min(keys, 3000))];
            Arrays.fill(key, (byte) (random.nextBoolean() ? 0 : -1));
            return key;
        }
    },
    /** Keys in a few groups, whose keys have more bytes in common than a head has. */
    LONG_PREFIXES {
        @Override
        byte[] key(Random random, int keys) {
            int number = random.nextInt(keys);
            String group = "/group-" + number % 5 + "/of keys that begin alike".repeat(number % 5) + "/";
            return RangeFixture.bytes(group + number + "x".repeat(number % 3));
        }
    },
    /** The longest keys, of 65,535 bytes that differ only at the end, and short keys among them. */
    LARGE {
        @Override
        byte[] key(Random random, int keys) {
            int number = random.nextInt(Math.min(keys, 400));
            byte[] key = new byte[number % 7 == 0 ? 1 + number % 9 : 65_535 - number % 3];
            key[key.length - 1] = (byte) number;
            key[0] = (byte) (number >>> 8);
            return key;
        }
    },
    /** Keys that are numbers as text, as applications make them. */
    NUMBERS {
        @Override
        byte[] key(Random random, int keys) {
            return RangeFixture.key(random.nextInt(keys));
        }
    };

    /** One of about {@code keys} keys. */
    abstract byte[] key(Random random, int keys);
}
