package io.sdds.client.internal.query.lang;

import io.sdds.core.query.LikePattern;
import io.sdds.core.query.Op;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.ValueType.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compiles operators and functions of texts and bytes. */
final class TextCompiler {
    private static final byte[] NO_ESCAPE = {};

    private final InstructionList list;
    private final ImplicitCasts casts;

    TextCompiler(InstructionList list, ImplicitCasts casts) {
        this.list = list;
        this.casts = casts;
    }

    /** Whether one has the other in it, or at an end; of text and bytes the text is taken as its UTF-8. */
    Operand search(Op op, int at, Operand text, Operand part) {
        List<Operand> operands = casts.unify(at, List.of(casts.textOrBytes(text), casts.textOrBytes(part)));
        return list.compute(op, at, operands.get(0), operands.get(1));
    }

    /** Two of bytes as bytes; else both as text. */
    Operand concat(int at, Operand left, Operand right) {
        boolean areBytes = left.is(Kind.VARBINARY) && right.is(Kind.VARBINARY);
        return list.compute(Op.CONCAT, at, areBytes ? left : anyAsText(left), areBytes ? right : anyAsText(right));
    }

    private Operand anyAsText(Operand operand) {
        boolean hasCast = operand.type() != null && !operand.is(Kind.VARCHAR) && !operand.is(Kind.DOUBLE);
        return hasCast
                ? list.compute(Op.CAST, ValueType.VARCHAR, List.of(), operand.at(), operand)
                : casts.text(operand);
    }

    Operand substring(int at, Operand text, Operand from, @Nullable Operand length) {
        Operand first = casts.integer(from);
        return length == null
                ? list.compute(Op.SUBSTRING, at, casts.text(text), first)
                : list.compute(Op.SUBSTRING, at, casts.text(text), first, casts.integer(length));
    }

    Operand ofText(Op op, int at, Operand operand) {
        return list.compute(op, at, casts.text(operand));
    }

    Operand octetLength(int at, Operand operand) {
        return list.compute(Op.OCTET_LENGTH, at, casts.textOrBytes(operand));
    }

    /** A pattern with signs only at its ends becomes a search, which reads bytes whether they are text or not. */
    Operand like(int at, Operand operand, Operand pattern, @Nullable Operand escape) {
        byte[] signs = constantText(pattern, "a pattern");
        byte[] sign = escape == null ? NO_ESCAPE : constantText(escape, "an escape character");
        if (escape != null && (sign == null || !isOneCharacter(sign))) {
            throw list.error(escape.at(), "expected an escape of one character");
        }
        if (signs == null || sign == null) {
            return Operand.constant(ValueType.BOOLEAN, null, at);
        }
        List<byte @Nullable []> constants = new ArrayList<>(List.of(signs, sign));
        LikePattern read = LikePattern.read(constants);
        if (read == null) {
            throw list.error(pattern.at(), "the escape character stands before a character that needs none");
        }
        Operand search = search(at, operand, read.parts());
        return search != null ? search : list.compute(Op.LIKE, ValueType.BOOLEAN, constants, at, casts.text(operand));
    }

    private static boolean isOneCharacter(byte[] text) {
        String characters = new String(text, StandardCharsets.UTF_8);
        return characters.codePointCount(0, characters.length()) == 1;
    }

    /** A constant text; null: NULL. */
    private byte @Nullable [] constantText(Operand operand, String wanted) {
        if (!operand.isConstant() || operand.type() != null && !operand.is(Kind.VARCHAR)) {
            throw list.error(operand.at(), "expected " + wanted + " that is a constant text");
        }
        return operand.constant();
    }

    /** What is the same as the pattern; null if nothing is. */
    private @Nullable Operand search(int at, Operand operand, int[] parts) {
        int from = 0;
        int to = parts.length;
        while (from < to && parts[from] == LikePattern.ANY_TEXT) {
            from++;
        }
        while (to > from && parts[to - 1] == LikePattern.ANY_TEXT) {
            to--;
        }
        int[] middle = Arrays.copyOfRange(parts, from, to);
        if (Arrays.stream(middle).anyMatch(part -> part < 0)) {
            return null;
        }
        byte[] bytes = new byte[middle.length];
        for (int k = 0; k < bytes.length; k++) {
            bytes[k] = (byte) middle[k];
        }
        boolean isOpenBefore = from > 0;
        boolean isOpenBehind = to < parts.length || bytes.length == 0 && isOpenBefore;
        Op op = isOpenBefore ? isOpenBehind ? Op.CONTAINS : Op.ENDS_WITH : isOpenBehind ? Op.STARTS_WITH : Op.EQUAL;
        return search(op, at, operand, Operand.constant(ValueType.VARCHAR, bytes, at));
    }
}
