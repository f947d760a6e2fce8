package io.metricsaggregator.registry.sum;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigInteger;

/**
 * A sum of binary fractions without rounding: a fixed-point number of 32-bit digits whose lowest bit has a weight chosen by the caller. The sum of some
 * values is the same in any order and grouping. Adding allocates nothing.
 */
final class ExactReal {
    private static final int DIGIT_BITS = 32;
    private static final long DIGIT = 0xffff_ffffL;
    /** Additions after which the carries are propagated: each adds less than 2^34 to a digit of 64 bits. */
    private static final int CARRY_AFTER = 1 << 28;
    /** Bits that decide the rounding to a double: 53 of its own and more than one behind them. */
    private static final int ROUNDING_BITS = 66;

    private final long[] digits;
    private int uncarried;

    /**
     * A sum of 0.
     *
     * @param bits number of bits that a value takes; the sum has room for 2^63 such values
     */
    ExactReal(int bits) {
        digits = new long[(bits + 64) / DIGIT_BITS + 3];
    }

    /**
     * Adds a number of up to 127 bits.
     *
     * @param high the upper 64 bits of the magnitude
     * @param low the lower 64 bits of the magnitude
     * @param position place of its lowest bit, from 0
     */
    void add(long high, long low, int position, boolean negative) {
        int at = position / DIGIT_BITS;
        int shift = position % DIGIT_BITS;
        addDigit(at, (low & DIGIT) << shift, negative);
        addDigit(at + 1, (low >>> DIGIT_BITS) << shift, negative);
        if (high != 0) {
            addDigit(at + 2, (high & DIGIT) << shift, negative);
            addDigit(at + 3, (high >>> DIGIT_BITS) << shift, negative);
        }
        if (++uncarried == CARRY_AFTER) {
            carry();
        }
    }

    private void addDigit(int at, long shifted, boolean negative) {
        if (negative) {
            digits[at] -= shifted & DIGIT;
            digits[at + 1] -= shifted >>> DIGIT_BITS;
        } else {
            digits[at] += shifted & DIGIT;
            digits[at + 1] += shifted >>> DIGIT_BITS;
        }
    }

    private void carry() {
        for (int i = 0; i < digits.length - 1; i++) {
            digits[i + 1] += digits[i] >> DIGIT_BITS;
            digits[i] &= DIGIT;
        }
        uncarried = 0;
    }

    /** Adds another sum of the same kind. */
    void add(ExactReal other) {
        carry();
        other.carry();
        for (int i = 0; i < digits.length; i++) {
            digits[i] += other.digits[i];
        }
        carry();
    }

    void copyFrom(ExactReal other) {
        System.arraycopy(other.digits, 0, digits, 0, digits.length);
        uncarried = other.uncarried;
    }

    /** Returns the sum in units of its lowest bit. */
    BigInteger units() {
        carry();
        int top = digits.length - 1;
        byte[] magnitude = new byte[4 * top];
        for (int i = 0; i < top; i++) {
            int at = magnitude.length - 4 * i - 4;
            magnitude[at] = (byte) (digits[i] >> 24);
            magnitude[at + 1] = (byte) (digits[i] >> 16);
            magnitude[at + 2] = (byte) (digits[i] >> 8);
            magnitude[at + 3] = (byte) digits[i];
        }
        return BigInteger.valueOf(digits[top]).shiftLeft(DIGIT_BITS * top).add(new BigInteger(1, magnitude));
    }

    /** Returns {@code units} · 2^{@code exponent} as the nearest double. */
    static double nearest(BigInteger units, int exponent) {
        BigInteger magnitude = units.abs();
        int cut = Math.max(0, magnitude.bitLength() - ROUNDING_BITS);
        BigInteger leading = magnitude.shiftRight(cut);
        if (cut > 0 && magnitude.getLowestSetBit() < cut) {
            leading = leading.setBit(0);
        }
        return units.signum() * Math.scalb(leading.doubleValue(), cut + exponent);
    }

    /** Writes the sum: the number of its last digit that is not 0, and the digits up to it. */
    void write(DataOutput to) throws IOException {
        carry();
        int length = digits.length;
        while (length > 0 && digits[length - 1] == 0) {
            length--;
        }
        to.writeShort(length);
        for (int i = 0; i < length; i++) {
            if (i == digits.length - 1) {
                to.writeLong(digits[i]);
            } else {
                to.writeInt((int) digits[i]);
            }
        }
    }

    /**
     * Reads a sum into this one, which must be 0.
     *
     * @throws IOException if it has more digits than a sum of this kind
     */
    void read(DataInput from) throws IOException {
        int length = from.readUnsignedShort();
        if (length > digits.length) {
            throw new IOException("a sum of " + length + " digits, more than " + digits.length);
        }
        for (int i = 0; i < length; i++) {
            digits[i] = i == digits.length - 1 ? from.readLong() : from.readInt() & DIGIT;
        }
    }
}
